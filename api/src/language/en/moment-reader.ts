import type { SaidDate } from '../calendar/date-reader.ts';
import { dayFrom, numberOf, weekdayOf } from '../calendar/day.ts';
import {
  type DayPart,
  dayPartNames,
  type MomentParts,
  type MomentReader,
  noMoment,
  type SaidMoment,
} from '../calendar/moment-reader.ts';
import { comingMonth, periodNamed, periodNames } from '../calendar/period.ts';
import type { SaidTime } from '../calendar/time-reader.ts';
import type { Duration } from '../durations/duration-reader.ts';
import { createNameReader } from '../grammar/name-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';

/** Reads one more part of a moment. */
type Piece = (said: readonly Word[], known: Read<SaidMoment>) => Read<SaidMoment> | null;

/**
 * English moments: "in", "at" and "on" come before a part, "from now" after it; the order of parts is free.
 */
export function createMomentReader(parts: MomentParts): MomentReader {
  const { words, durations } = parts;
  const { afterAt, lengthAt, weekdayAhead, soonAt, vagueAt, dateAt, timeAt, partAt, anyPartAt } =
    createMomentPartReader(parts);

  const sameTimeAt = createSameTimeReader(words);

  const partToday: Piece = (said, { value: known, end: at }) => {
    const part = known.part === null && !hasDay(known) ? partAt(words.parts_today, said, at) : null;
    return part && extended(known, { ...part.value, isToday: true }, part.end);
  };
  const part: Piece = (said, { value: known, end: at }) => {
    const found = known.part === null ? anyPartAt(said, at) : null;
    return found && extended(known, found.value, found.end);
  };
  const after: Piece = (said, { value: known, end: at }) => {
    // "today in fifteen minutes"
    const isOnlyToday = known.isToday && known.time === null && known.part === null;
    const found = hasDay(known) && !isOnlyToday ? null : afterAt(said, at);
    if (found && isOnlyToday) return { value: { ...noMoment, after: found.value }, end: found.end };
    // Hours from now are a complete moment; days may have a time of day.
    const fits = found !== null && (found.value.days !== null || known === noMoment);
    return fits ? extended(known, { after: found.value }, found.end) : null;
  };
  const date: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : dateAt(said, at);
    return found && extended(known, { date: found.value, isToday: isToday(found.value) }, found.end);
  };
  const ahead: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : lengthAt(said, at);
    return found && extended(known, { date: found.value, keepsTime: true }, found.end);
  };
  const sameTime: Piece = (said, { value: known, end: at }) => {
    const isOpen = known.time === null && known.part === null && !known.keepsTime;
    const found = isOpen ? sameTimeAt(said, at, hasDay(known)) : null;
    return found && extended(known, found.value, found.end);
  };
  const onAhead: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : weekdayAhead(said, at);
    return found && extended(known, { date: found.value }, found.end);
  };
  const soon: Piece = (said, { value: known, end: at }) => {
    const found = known === noMoment ? soonAt(said, at) : null;
    return found && extended(known, { soon: found.value }, found.end);
  };
  const vague: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : vagueAt(said, at);
    return found && extended(known, { isVague: true, ...found.value }, found.end);
  };
  const ownTime: Piece = (said, { value: known, end: at }) => {
    const from = known.time === null ? longestPhraseEnd(words.own_times_from, said, at) : null;
    const end = from === null ? null : longestPhraseEnd(words.own_times, said, from);
    return end === null ? null : extended(known, { isOwnTime: true }, end);
  };
  const time =
    (isBare: boolean): Piece =>
    (said, { value: known, end: at }) => {
      const found = known.time === null ? timeAt(said, at, isBare) : null;
      return found && extended(known, { time: found.value }, found.end);
    };

  /** "At ten FOR tomorrow", "tomorrow FOR ten": the other of day and time. */
  const joinedPiece = (said: readonly Word[], known: Read<SaidMoment>): Read<SaidMoment> | null => {
    const from = known.value === noMoment ? null : longestPhraseEnd(words.between, said, known.end);
    return from === null
      ? null
      : (date(said, { ...known, end: from }) ?? time(true)(said, { ...known, end: from }));
  };

  /** Adds one more part to a moment. */
  const pieceAt = (
    said: readonly Word[],
    known: Read<SaidMoment>,
    isBare: boolean,
  ): Read<SaidMoment> | null => {
    for (const piece of [
      soon,
      sameTime,
      partToday,
      part,
      onAhead,
      after,
      ahead,
      date,
      vague,
      ownTime,
      time(isBare),
    ]) {
      const found = piece(said, known);
      if (found) return found;
    }
    return isBare ? joinedPiece(said, known) : null;
  };

  const read = (said: readonly Word[], from: number, isBare: boolean): Read<SaidMoment> | null => {
    let found: Read<SaidMoment> = { value: noMoment, end: from };
    for (;;) {
      const { after, soon } = found.value;
      const isWhole = soon !== undefined || (after !== null && after.days === null);
      const next = isWhole ? null : pieceAt(said, found, isBare);
      if (!next) return found.value === noMoment ? null : found;
      found = next;
    }
  };

  /** The moment with one part corrected: "tomorrow at seven, no, eight". */
  const readCorrected = (said: readonly Word[], from: number, isBare: boolean): Read<SaidMoment> | null => {
    const first = read(said, from, isBare);
    const again = first && durations.correctedAt(said, first.end);
    const second = again === null ? null : read(said, again, true);
    return first && second ? { value: corrected(first.value, second.value), end: second.end } : first;
  };

  return {
    read: remembered((said, from) =>
      isPartOfName(words, said, from) ? null : readCorrected(said, from, false),
    ),
    readBare: remembered((said, from) => readCorrected(said, from, true)),
  };
}

/** "quiz NIGHT", "the parents EVENING": right behind another word, it belongs to a name. */
function isPartOfName(words: MomentParts['words'], said: readonly Word[], from: number): boolean {
  return (
    from > 0 &&
    said[from]?.gap === '' &&
    !words.before_parts.includes(said[from - 1]?.word ?? '') &&
    dayPartNames.some((name) => words.parts[name].includes(said[from]?.word ?? ''))
  );
}

function extended(known: SaidMoment, piece: Partial<SaidMoment>, end: number): Read<SaidMoment> {
  return { value: { ...known, ...piece }, end };
}

function hasDay({ date, after, isToday, isVague }: SaidMoment): boolean {
  return date !== null || after !== null || isToday || isVague === true;
}

/** Reads "this time" beside a day, and with the week behind it: "this time next week". */
function createSameTimeReader(words: MomentParts['words']) {
  const aheadAt = createNameReader(new Map(Object.entries(words.same_time_ahead)));
  return (said: readonly Word[], at: number, hasDay: boolean): Read<Partial<SaidMoment>> | null => {
    const end = longestPhraseEnd(words.same_time, said, at);
    if (end === null) return null;
    const away = hasDay ? null : aheadAt(said, end);
    if (!away) return { value: { keepsTime: true }, end };
    const date: SaidDate = (today) => dayFrom(numberOf(today) + away.value);
    return { value: { date, keepsTime: true }, end: away.end };
  };
}

/** Reads each part of a moment by itself. */
function createMomentPartReader({ words, durations, dates, times }: MomentParts) {
  const periodAt = createNameReader(
    new Map(periodNames.flatMap((name) => (words.vague[name] ?? []).map((text) => [text, name] as const))),
  );
  const afterAt = (said: readonly Word[], at: number): Read<Duration> | null => {
    const from = longestPhraseEnd(words.in, said, at);
    const duration = durations.read(said, from ?? at);
    if (!duration) return null;
    const end = longestPhraseEnd(words.from_now, said, duration.end);
    return from === null && end === null ? null : { ...duration, end: end ?? duration.end };
  };

  /** "in a month", "a year from now", "in a fortnight". */
  const lengthAt = (said: readonly Word[], at: number): Read<SaidDate> | null => {
    const from = longestPhraseEnd(words.in, said, at);
    const length = dates.readAhead(said, from ?? at);
    if (!length) return null;
    const end = longestPhraseEnd(words.from_now, said, length.end);
    return from === null && end === null ? null : { ...length, end: end ?? length.end };
  };

  /** "in two weeks on Friday", "on Friday in two weeks": the first Friday from that day on. */
  const weekdayAhead = (said: readonly Word[], at: number): Read<SaidDate> | null => {
    const weekdayAt = (from: number) => dates.readWeekday(said, skipPhrase(words.on, said, from));
    const before = weekdayAt(at);
    const length = lengthAt(said, before?.end ?? at);
    const weekday = before ?? (length && weekdayAt(length.end));
    if (!length || !weekday) return null;
    return { value: onWeekday(length.value, weekday.value), end: Math.max(length.end, weekday.end) };
  };

  /** "in a bit", "a few minutes from now". */
  const soonAt = (said: readonly Word[], at: number): Read<'minutes' | 'hours'> | null => {
    const from = longestPhraseEnd(words.in, said, at);
    for (const unit of soonUnits) {
      const named = longestPhraseEnd(words.soon[unit], said, from ?? at);
      const end = named === null ? null : longestPhraseEnd(words.from_now, said, named);
      if (named !== null && (from !== null || end !== null)) return { value: unit, end: end ?? named };
    }
    return null;
  };

  /** "sometime next week", "in September". */
  const vagueAt = (said: readonly Word[], at: number): Read<Pick<SaidMoment, 'period'>> | null => {
    const from = skipPhrase(words.vague_from, said, at);
    const named = periodAt(said, from);
    if (named) return { value: { period: periodNamed(named.value) }, end: named.end };
    const month = from > at ? dates.monthNumber(said[from]?.word ?? '') : null;
    return month === null ? null : { value: { period: comingMonth(month) }, end: from + 1 };
  };

  /** "Friday", and all of "on Friday the 13th". */
  const dateAt = (said: readonly Word[], at: number): Read<SaidDate> | null => {
    const alone = dates.read(said, at);
    const behind = dates.read(said, longestPhraseEnd(words.on, said, at) ?? said.length);
    return behind && behind.end > (alone?.end ?? at) ? behind : alone;
  };

  /** "half an hour before seven" */
  const offsetTimeAt = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const length = durations.read(said, at);
    const before = length && longestPhraseEnd(words.time_before, said, length.end);
    const from = before ?? (length && longestPhraseEnd(words.time_after, said, length.end));
    const time = from === null ? null : times.read(said, from);
    const minutes = (length?.value.ms ?? 0) / minuteMs;
    const value = time && shiftedTime(time.value, before === null ? minutes : -minutes);
    return value ? { value, end: time.end } : null;
  };

  const timeAt = (said: readonly Word[], at: number, isBare: boolean): Read<SaidTime> | null => {
    const from = longestPhraseEnd(words.at, said, at);
    const time = offsetTimeAt(said, from ?? at) ?? times.read(said, from ?? at);
    if (time && (from !== null || isBare || time.value.isPlain)) return time;
    // "on 3 pm", but not the date "am 24.12."
    const on = longestPhraseEnd(words.on, said, at);
    const behind = on === null ? null : times.read(said, on);
    return behind?.value.isPlain && behind.end > (on ?? at) + 1 ? behind : null;
  };

  const partAt = (
    choices: Readonly<Partial<Record<DayPart, readonly string[]>>>,
    said: readonly Word[],
    at: number,
  ): Read<Pick<SaidMoment, 'part' | 'isBeforeSleep'>> | null => {
    for (const part of dayPartNames) {
      const end = longestPhraseEnd(choices[part] ?? [], said, at);
      const isBeforeSleep = end !== null && longestPhraseEnd(words.before_sleep, said, at) === end;
      if (end !== null) return { value: { part, ...(isBeforeSleep && { isBeforeSleep }) }, end };
    }
    return null;
  };

  /** "In the morning", "early morning". */
  const anyPartAt = (said: readonly Word[], at: number) => {
    const open = partAt(words.parts_open, said, at);
    return open
      ? { ...open, value: { ...open.value, isOpenPart: true as const } }
      : partAt(words.parts, said, at);
  };

  return { afterAt, lengthAt, weekdayAhead, soonAt, vagueAt, dateAt, timeAt, partAt, anyPartAt };
}

const minuteMs = 60_000;
const halfDay = 12 * 60;

/** A time of day that many minutes later. Null: it is on another day, or not on a whole minute. */
function shiftedTime({ hour, minute, half, isAnyHour }: SaidTime, minutes: number): SaidTime | null {
  if (isAnyHour || !Number.isInteger(minutes) || Math.abs(minutes) >= halfDay) return null;
  const noon = half === 'pm' && hour < 12 ? halfDay : 0;
  const spoken = (half === 'am' && hour === 12 ? 0 : hour * 60) + minute + noon;
  if (half === null) {
    const open = spoken + minutes;
    // Two hours before one is in the other half of the day, and which one is not said.
    if (open < 0 || open >= halfDay + 60) return null;
    return { hour: Math.floor(open / 60) || 12, minute: open % 60, half, isPlain: true };
  }
  const at = spoken + minutes;
  if (at < 0 || at >= 2 * halfDay) return null;
  return { hour: Math.floor(at / 60), minute: at % 60, half: at < halfDay ? 'am' : 'pm', isPlain: true };
}

const soonUnits = ['minutes', 'hours'] as const;
const weekDays = 7;

/** The first such weekday from a day on. A day less than a week away must be one itself. */
function onWeekday(date: SaidDate, weekday: number): SaidDate {
  return (today) => {
    const from = date(today);
    if (!from) return null;
    const more = (weekday - weekdayOf(from) + weekDays) % weekDays;
    const isNear = numberOf(from) - numberOf(today) < weekDays;
    return more > 0 && isNear ? null : dayFrom(numberOf(from) + more);
  };
}

/** A moment with one part replaced. */
function corrected(first: SaidMoment, second: SaidMoment): SaidMoment {
  if (second.after !== null || first.after !== null) return second;
  const day = second.date !== null || second.isToday ? second : first;
  const time = second.time ?? first.time;
  const { part, isBeforeSleep } = second.part === null ? first : second;
  const partOfDay = { part, ...(isBeforeSleep && { isBeforeSleep }) };
  return { after: null, date: day.date, isToday: day.isToday, time, ...partOfDay };
}

/** Whether a date always means the current day. */
function isToday(date: SaidDate): boolean {
  const days = [20_000, 20_001].map(dayFrom);
  return days.every((day) => {
    const meant = date(day);
    return meant !== null && numberOf(meant) === numberOf(day);
  });
}
