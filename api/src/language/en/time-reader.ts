import type { SaidTime, TimeReader, TimeWords } from '../calendar/time-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { createWholeReader, type NumberReader, type Read } from '../numbers/number-reader.ts';

type WholeReader = ReturnType<typeof createWholeReader>;

const minutesPerHour = 60;
/** The clock's own steps: people say other numbers with "minutes". */
const minuteStep = 5;

/** "SEVEN to eight" alone is rather a range: minutes before an hour are said in fives or with their unit. */
function mayBeMinutes(count: number, isAlone: boolean): boolean {
  return !isAlone || count % minuteStep === 0 || count > 12;
}

/** English times of day: minutes before "past" and "to" with the hour after them, or the hour first. */
export function createTimeReader(words: TimeWords, numbers: NumberReader): TimeReader {
  const wholeAt = createWholeReader(numbers);
  const minuteAt = createMinuteReader(words, wholeAt);
  const inFigures = createFigureReader(words, { wholeAt, minuteAt });

  /** "half", "a quarter", in minutes. */
  const namedAt = (said: readonly Word[], at: number): Read<number> | null => {
    const half = longestPhraseEnd(words.half, said, at);
    const end = half ?? longestPhraseEnd(words.quarter, said, at);
    return end === null ? null : { value: half === null ? 15 : 30, end };
  };

  /** "half past", "a quarter to", "twenty five minutes past": minutes after or before an hour. */
  const offsetAt = (said: readonly Word[], at: number): Read<number> | null => {
    const half = longestPhraseEnd(words.half, said, at);
    const named = namedAt(said, at);
    const count = named ?? wholeAt(said, at, 59);
    if (!count) return null;
    const end = longestPhraseEnd(words.minutes, said, count.end) ?? count.end;
    const past = longestPhraseEnd(words.past, said, end);
    if (past !== null) return { value: count.value, end: past };
    const to = longestPhraseEnd(words.to, said, end);
    if (to !== null && mayBeMinutes(count.value, !named && end === count.end))
      return { value: -count.value, end: to };
    // People say no other number like "half seven".
    return half === null ? null : { value: words.half_alone, end: half };
  };

  const shifted = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const offset = offsetAt(said, at);
    if (!offset) return null;
    const day = dayTimeAt(said, offset.end);
    if (day) return { value: timeFrom(day.value + offset.value, 'exact'), end: day.end };
    const hour = wholeAt(said, offset.end, 24);
    if (!hour) return inAnyHour(said, at);
    if (hour.value === 0) return null;
    const end = longestPhraseEnd(words.oclock, said, hour.end) ?? hour.end;
    return { value: timeFrom(hour.value * 60 + offset.value, hour.value > 12 ? 'exact' : 'open'), end };
  };

  /** "half past", "at twenty past": the next such minute. */
  const inAnyHour = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const offset = offsetAt(said, at);
    if (!offset) return null;
    // "At quarter TO TO leave": only the second one belongs to what follows.
    const next = said[offset.end]?.word;
    // "Thirty minutes before" is no time of day.
    const hasUnit = said.slice(at, offset.end).some(({ word }) => words.minutes.includes(word));
    const isBefore =
      !hasUnit && offset.value < 0 && (next === undefined || next === said[offset.end - 1]?.word);
    const isOpen = longestPhraseEnd(words.any_hour, said, offset.end - 1) === offset.end;
    if (!isOpen && !isBefore) return null;
    const minute = (offset.value + minutesPerHour) % minutesPerHour;
    return { value: { hour: 0, minute, half: null, isPlain: true, isAnyHour: true }, end: offset.end };
  };

  /** "seven", "seven thirty", "seven oh five", "seven o'clock". */
  const spoken = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const hour = wholeAt(said, at, 24);
    if (!hour) return null;
    const half = halfOf(hour.value, said[at]?.word ?? '');
    const oclock = longestPhraseEnd(words.oclock, said, hour.end);
    if (oclock !== null) return { value: { hour: hour.value, minute: 0, half, isPlain: true }, end: oclock };
    const minute = minuteAt(said, hour.end);
    if (!minute) return { value: { hour: hour.value, minute: 0, half, isPlain: false }, end: hour.end };
    return { value: { hour: hour.value, minute: minute.value, half, isPlain: true }, end: minute.end };
  };

  /** Noon and midnight, in minutes of the day. */
  const dayTimeAt = (said: readonly Word[], at: number): Read<number> | null => {
    const [noon, midnight] = [
      longestPhraseEnd(words.noon, said, at),
      longestPhraseEnd(words.midnight, said, at),
    ];
    if (noon !== null) return { value: 12 * 60, end: noon };
    return midnight === null ? null : { value: 24 * 60, end: midnight };
  };
  const named = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const day = dayTimeAt(said, at);
    return day && { value: timeFrom(day.value, 'exact'), end: day.end };
  };

  return {
    read(said: readonly Word[], from: number): Read<SaidTime> | null {
      const time = named(said, from) ?? shifted(said, from) ?? inFigures(said, from) ?? spoken(said, from);
      if (!time) return null;
      const { hour } = time.value;
      const isOpen = time.value.half === null && hour >= 1 && hour <= 12;
      const half = isOpen ? halfBehind(words, said, time) : null;
      if (!half) return time;
      // "7 pm SHARP"
      const end = longestPhraseEnd(words.oclock, said, half.end) ?? half.end;
      return { value: { ...time.value, half: half.value, isPlain: true }, end };
    },
  };
}

/** The first hour that "at night" means before midnight. */
const lateHour = 8;

/** "p.m.", "in the morning", "at night", behind a time. */
function halfBehind(
  words: TimeWords,
  said: readonly Word[],
  { value: { hour }, end }: Read<SaidTime>,
): Read<'am' | 'pm'> | null {
  const night = longestPhraseEnd(words.night, said, end);
  if (night !== null) return { value: hour >= lateHour && hour < 12 ? 'pm' : 'am', end: night };
  const am = longestPhraseEnd(words.am, said, end);
  if (am !== null) return { value: 'am', end: am };
  const pm = longestPhraseEnd(words.pm, said, end);
  return pm === null ? null : { value: 'pm', end: pm };
}

/** "thirty", "oh five": may follow an hour. */
function createMinuteReader(words: TimeWords, wholeAt: WholeReader) {
  return (said: readonly Word[], at: number): Read<number> | null => {
    const oh = longestPhraseEnd(words.oh, said, at);
    if (said[oh ?? at]?.gap !== '') return null;
    const minute = wholeAt(said, oh ?? at, oh === null ? 59 : 9);
    return minute && (oh !== null || minute.value >= 10) ? minute : null;
  };
}

interface FigureOptions {
  wholeAt: WholeReader;
  minuteAt: ReturnType<typeof createMinuteReader>;
}

/** Times in figures, and those of the 24-hour clock. */
function createFigureReader(words: TimeWords, { wholeAt, minuteAt }: FigureOptions) {
  /** "7:30", "7.30", "730", "19:30". */
  const written = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const [, hours = '', minutes = ''] = /^(\d{1,2})[.:]?(\d\d)$/.exec(said[at]?.word ?? '') ?? [];
    const [hour, minute] = [Number(hours), Number(minutes)];
    if (hours === '' || hour > 24 || minute > 59) return null;
    const isPlain = /[.:]/.test(said[at]?.word ?? '');
    if (!isPlain && hours === '0') return null;
    return { value: { hour, minute, half: halfOf(hour, hours), isPlain }, end: at + 1 };
  };

  /** "06h30", "18 h 30": followed by the unit of the minutes, it is a duration. */
  const signed = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const [hours, sign, minutes] = [said[at], said[at + 1], said[at + 2]];
    if (!hours || !sign || !minutes || !words.hour_signs.includes(sign.word) || minutes.gap !== '')
      return null;
    if (words.long_hours && hours.word.length < 2) return null;
    if (said[at + 3]?.start === minutes.end || longestPhraseEnd(words.minutes, said, at + 3) !== null)
      return null;
    const time = written([{ ...hours, word: `${hours.word}:${minutes.word}` }], 0);
    return time && { ...time, end: at + 3 };
  };

  /** "0905 hours": on a 24-hour clock. */
  const onLongClock = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const time = /^\d{4}$/.test(said[at]?.word ?? '') ? written(said, at) : null;
    const end = time && longestPhraseEnd(words.clock_hours, said, time.end);
    if (!time || end === null) return null;
    return { value: { ...time.value, half: time.value.hour >= 12 ? 'pm' : 'am', isPlain: true }, end };
  };

  /** "seventeen hundred hours", "oh six hundred". */
  const inHundreds = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const from = skipPhrase(words.oh, said, at);
    const number = wholeAt(said, from, 2_400);
    // "One hundred hours" and "1000 hours" are lengths.
    if (!number || /^\d+$/.test(said[number.end - 1]?.word ?? '')) return null;
    const isAfterZero = from > at;
    const [min, max] = isAfterZero ? [100, 900] : [1_000, 2_400];
    if (number.value % 100 !== 0 || number.value < min || number.value > max) return null;
    const end = longestPhraseEnd(words.clock_hours, said, number.end);
    const hour = number.value / 100;
    const half = hour >= 12 ? 'pm' : 'am';
    // "Nineteen hundred" alone may be a number.
    const isPlain = end !== null || isAfterZero;
    return { value: { hour, minute: 0, half, isPlain }, end: end ?? number.end };
  };

  /** "oh six thirty": in the first half of the day. */
  const withZero = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const from = longestPhraseEnd(words.oh, said, at);
    const hour = from === null ? null : wholeAt(said, from, 9);
    const minute = hour && hour.value > 0 ? minuteAt(said, hour.end) : null;
    return hour && minute
      ? { value: { hour: hour.value, minute: minute.value, half: 'am', isPlain: true }, end: minute.end }
      : null;
  };

  /** "8:6 p.m.": without its half of the day it is not a time. */
  const short = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const [, hours = '', minute = ''] = /^(\d{1,2}):(\d)$/.exec(said[at]?.word ?? '') ?? [];
    if (hours === '' || longestPhraseEnd([...words.am, ...words.pm, ...words.night], said, at + 1) === null)
      return null;
    return (
      written([{ word: `${hours}:0${minute}`, start: 0, end: 0, gap: '' }], 0) && {
        value: { hour: Number(hours), minute: Number(minute), half: null, isPlain: true },
        end: at + 1,
      }
    );
  };

  return (said: readonly Word[], at: number): Read<SaidTime> | null =>
    signed(said, at) ??
    inHundreds(said, at) ??
    withZero(said, at) ??
    onLongClock(said, at) ??
    short(said, at) ??
    written(said, at);
}

/** "19:30" and "07:30" are unambiguous; "7:30" may be either half of the day. */
function halfOf(hour: number, digits: string): SaidTime['half'] {
  if (hour > 12) return 'pm';
  return hour === 0 || /^0\d/.test(digits) ? 'am' : null;
}

function timeFrom(minutes: number, kind: 'exact' | 'open'): SaidTime {
  // "twenty to one" is 12:40, and as ambiguous as one o'clock.
  const hour = Math.floor(minutes / 60) || (kind === 'open' ? 12 : 0);
  const half = kind === 'open' ? null : hour >= 12 ? 'pm' : 'am';
  return { hour, minute: minutes % 60, half, isPlain: true };
}
