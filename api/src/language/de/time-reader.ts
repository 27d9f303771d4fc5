import { readInDigits, type TimeReader, type TimeWords } from '../calendar/time-reader.ts';
import { createTimeReader } from '../en/time-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { createWholeReader, type NumberReader, type Read } from '../numbers/number-reader.ts';

/** Minutes of the day. */
type ReadMinutes = Read<number> | null;

/**
 * German times of day: minutes follow "Uhr" ("7 Uhr 30") or refer to the half hour ("fünf vor halb acht").
 * Quarters refer to the next hour ("dreiviertel acht"). The English reader reads everything else.
 */
export function createGermanTimeReader(words: TimeWords, numbers: NumberReader): TimeReader {
  const reader = createTimeReader(words, numbers);
  const wholeAt = createWholeReader(numbers);
  const hourAt = (said: readonly Word[], at: number) => {
    const hour = wholeAt(said, at, 24);
    return hour && hour.value > 0 ? hour : null;
  };

  const half = [...words.am, ...words.pm, ...words.night];
  /** "Um acht Uhr ZWEI Lampen", "um acht Uhr EIN": a small number in words belongs to the task. */
  const isOfTask = (said: readonly Word[], { value, end }: Read<number>): boolean => {
    if (value > 9 || /^\d/.test(said[end - 1]?.word ?? '')) return false;
    return value === 1 || (end < said.length && longestPhraseEnd(half, said, end) === null);
  };

  /** "7 Uhr 30" */
  const withMinutes = (said: readonly Word[], at: number): ReadMinutes => {
    const hour = wholeAt(said, at, 24);
    const oclock = hour && longestPhraseEnd(words.oclock, said, hour.end);
    const minute = hour && oclock !== null && said[oclock]?.gap === '' ? wholeAt(said, oclock, 59) : null;
    if (
      !hour ||
      !minute ||
      isOfTask(said, minute) ||
      longestPhraseEnd(words.oclock, said, minute.end) !== null
    )
      return null;
    return { value: hour.value * 60 + minute.value, end: minute.end };
  };

  /** "fünf vor halb acht", "zehn Minuten nach halb acht" */
  const aroundHalf = (said: readonly Word[], at: number): ReadMinutes => {
    const count = wholeAt(said, at, 15);
    const named = count && (longestPhraseEnd(words.minutes, said, count.end) ?? count.end);
    const past = named && longestPhraseEnd(words.past, said, named);
    const to = named && longestPhraseEnd(words.to, said, named);
    const half = longestPhraseEnd(words.half, said, past ?? to ?? said.length);
    const hour = half === null ? null : hourAt(said, half);
    if (!count || !hour) return null;
    const shift = past === null ? -count.value : count.value;
    return { value: onDial(hour.value * 60 - 30 + shift), end: hour.end };
  };

  /** "viertel acht" is 7:15, "dreiviertel acht" 7:45. */
  const quarterOn = (said: readonly Word[], at: number): ReadMinutes => {
    const three = longestPhraseEnd(words.three_quarters, said, at);
    const end = three ?? longestPhraseEnd(words.quarter, said, at);
    const hour = end === null ? null : hourAt(said, end);
    return hour && { value: onDial(hour.value * 60 - (three === null ? 45 : 15)), end: hour.end };
  };

  /** "Wecker EIN", but "ein Uhr". */
  const isNoHour = (said: readonly Word[], at: number): boolean =>
    words.no_hours.includes(said[at]?.word ?? '') && longestPhraseEnd(words.oclock, said, at + 1) === null;

  const withOclock = <Time extends { end: number }>(found: Time | null, said: readonly Word[]) =>
    found && { ...found, end: longestPhraseEnd(words.oclock, said, found.end) ?? found.end };

  return {
    read(said, from) {
      const found = withMinutes(said, from) ?? aroundHalf(said, from) ?? quarterOn(said, from);
      if (!found && isNoHour(said, from)) return null;
      // "7.30 Uhr"
      if (!found) return withOclock(reader.read(said, from), said);
      const behind = longestPhraseEnd(words.oclock, said, found.end) ?? found.end;
      return readInDigits(reader, said, { from, minutes: found.value, end: behind });
    },
  };
}

/** The hour before one o'clock begins at twelve. */
function onDial(minutes: number): number {
  return minutes < 60 ? minutes + 12 * 60 : minutes;
}
