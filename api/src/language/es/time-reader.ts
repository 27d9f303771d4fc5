import { readInDigits, type TimeReader, type TimeWords } from '../calendar/time-reader.ts';
import { createTimeReader } from '../en/time-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { createWholeReader, type NumberReader, type Read } from '../numbers/number-reader.ts';

/**
 * Spanish times of day: the hour comes before its minutes ("las siete y cuarto", "las ocho menos diez").
 * Everything else is said as in English.
 */
export function createSpanishTimeReader(words: TimeWords, numbers: NumberReader): TimeReader {
  const reader = createTimeReader(words, numbers);
  const wholeAt = createWholeReader(numbers);
  /** A number of one word: the "y" after it introduces minutes, not a half. */
  const hourAt = (said: readonly Word[], at: number) => wholeAt(said.slice(at, at + 1), 0, 24)?.value ?? null;

  /** "cuarto", "media", "veinticinco minutos" */
  const minutesAt = (said: readonly Word[], at: number): Read<number> | null => {
    const half = longestPhraseEnd(words.half, said, at);
    const named = half ?? longestPhraseEnd(words.quarter, said, at);
    if (named !== null) return { value: half === null ? 15 : 30, end: named };
    const count = wholeAt(said, at, 59);
    return (
      count && { value: count.value, end: longestPhraseEnd(words.minutes, said, count.end) ?? count.end }
    );
  };

  /** "siete y media", "ocho menos veinte", "tres en punto": the minutes of the day. */
  const withMinutes = (said: readonly Word[], at: number): Read<number> | null => {
    const hour = hourAt(said, at);
    const past = hour === null ? null : longestPhraseEnd(words.past, said, at + 1);
    const less = hour === null ? null : longestPhraseEnd(words.less, said, at + 1);
    const minutes = minutesAt(said, past ?? less ?? said.length);
    if (hour === null || !minutes) return null;
    if (past !== null) return { value: hour * 60 + minutes.value, end: minutes.end };
    // "la una menos cuarto" is 12:45.
    return { value: (hour === 1 ? 13 : hour || 24) * 60 - minutes.value, end: minutes.end };
  };

  return {
    read(said, from) {
      const found = withMinutes(said, from);
      if (!found) return reader.read(said, from);
      return readInDigits(reader, said, { from, minutes: found.value, end: found.end });
    },
  };
}
