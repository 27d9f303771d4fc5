import { readInDigits, type SaidTime, type TimeReader, type TimeWords } from '../calendar/time-reader.ts';
import { createTimeReader } from '../en/time-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { createWholeReader, type NumberReader, type Read } from '../numbers/number-reader.ts';

/**
 * Italian times of day: the hour comes before its minutes ("le sette e mezza"), except in "un quarto alle
 * otto". Everything else is said as in English.
 */
export function createItalianTimeReader(words: TimeWords, numbers: NumberReader): TimeReader {
  // "dalle dieci alle otto" is not a time of day.
  const reader = createTimeReader({ ...words, to: [] }, numbers);
  const wholeAt = createWholeReader(numbers);
  /** A number of one word: the "e" after it introduces minutes, not a half. */
  const hourAt = (said: readonly Word[], at: number) => wholeAt(said.slice(at, at + 1), 0, 24)?.value ?? null;
  /** Noon and midnight, in minutes of the day. */
  const namedAt = (said: readonly Word[], at: number): Read<number> | null => {
    const noon = longestPhraseEnd(words.noon, said, at);
    if (noon !== null) return { value: 12 * 60, end: noon };
    const midnight = longestPhraseEnd(words.midnight, said, at);
    return midnight === null ? null : { value: 24 * 60, end: midnight };
  };

  /** "mezza", "tre quarti", "un quarto", "venticinque minuti", "zero cinque" */
  const minutesAt = (said: readonly Word[], at: number): Read<number> | null => {
    for (const [names, value] of [
      [words.half, 30],
      [words.three_quarters, 45],
      [words.quarter, 15],
    ] as const) {
      const end = longestPhraseEnd(names, said, at);
      if (end !== null) return { value, end };
    }
    const oh = longestPhraseEnd(words.oh, said, at);
    const from = oh ?? at;
    const count = wholeAt(said.slice(0, from + 1), from, oh === null ? 59 : 9);
    return (
      count && { value: count.value, end: longestPhraseEnd(words.minutes, said, count.end) ?? count.end }
    );
  };
  /** "e mezza", "meno venti": minutes after or before the hour. */
  const offsetAt = (said: readonly Word[], at: number): Read<number> | null => {
    if (said[at]?.gap !== '') return null;
    const past = longestPhraseEnd(words.past, said, at);
    if (past !== null) return minutesAt(said, past);
    const less = longestPhraseEnd(words.less, said, at);
    const minutes = less === null ? null : minutesAt(said, less);
    return minutes && { value: -minutes.value, end: minutes.end };
  };

  /** "mezzogiorno e mezzo", "mezzanotte meno dieci" */
  const besideNamed = (said: readonly Word[], at: number): Read<SaidTime> | null => {
    const day = namedAt(said, at);
    const offset = day && offsetAt(said, day.end);
    return offset && { value: exactly(day.value + offset.value), end: offset.end };
  };
  /** "sette e mezza", "otto meno venti", "un quarto alle otto": the minutes of the day. */
  const withMinutes = (said: readonly Word[], at: number): Read<number> | null => {
    const quarter = longestPhraseEnd(words.quarter, said, at);
    const to = quarter === null ? null : longestPhraseEnd(words.to, said, quarter);
    const next = to === null ? null : hourAt(said, to);
    if (to !== null && next !== null) return { value: before(next, 15), end: to + 1 };
    const hour = hourAt(said, at);
    const offset = hour === null ? null : offsetAt(said, at + 1);
    if (hour === null || !offset) return null;
    const value = offset.value < 0 ? before(hour, -offset.value) : hour * 60 + offset.value;
    return { value, end: offset.end };
  };

  return {
    read(said, from) {
      const named = besideNamed(said, from);
      if (named) return named;
      const found = withMinutes(said, from);
      if (!found) return reader.read(said, from);
      return readInDigits(reader, said, { from, minutes: found.value, end: found.end });
    },
  };
}

/** Minutes before an hour. "L'una meno un quarto" is 12:45. */
function before(hour: number, minutes: number): number {
  return (hour === 1 ? 13 : hour || 24) * 60 - minutes;
}

function exactly(minutes: number): SaidTime {
  const hour = Math.floor(minutes / 60) % 24;
  return { hour, minute: minutes % 60, half: hour < 12 ? 'am' : 'pm', isPlain: true };
}
