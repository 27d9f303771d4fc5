import type { SaidTime, TimeReader, TimeWords } from '../calendar/time-reader.ts';
import { createTimeReader } from '../en/time-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { createWholeReader, type NumberReader, type Read } from '../numbers/number-reader.ts';

/** An hour, and whether it is noon or midnight by its name. */
interface Hour {
  hour: number;
  isNamed: boolean;
}

/**
 * French times of day: everything follows the hour ("sept heures et quart", "midi et demi", "15 h 30"). Times
 * in figures are said as in English.
 */
export function createFrenchTimeReader(words: TimeWords, numbers: NumberReader): TimeReader {
  const reader = createTimeReader(words, numbers);
  const wholeAt = createWholeReader(numbers);
  const hourAt = (said: readonly Word[], at: number): Read<Hour> | null => {
    const noon = longestPhraseEnd(words.noon, said, at);
    if (noon !== null) return { value: { hour: 12, isNamed: true }, end: noon };
    const midnight = longestPhraseEnd(words.midnight, said, at);
    if (midnight !== null) return { value: { hour: 24, isNamed: true }, end: midnight };
    const hour = wholeAt(said, at, 24);
    const end = hour && longestPhraseEnd(words.oclock, said, hour.end);
    return hour && end !== null ? { value: { hour: hour.value, isNamed: false }, end } : null;
  };

  /** "le quart", "vingt", "vingt-cinq minutes". */
  const countAt = (said: readonly Word[], at: number): Read<number> | null => {
    const quarter = longestPhraseEnd(words.quarter, said, at);
    if (quarter !== null) return { value: 15, end: quarter };
    const count = wholeAt(said, at, 59);
    return (
      count && { value: count.value, end: longestPhraseEnd(words.minutes, said, count.end) ?? count.end }
    );
  };
  /** "moins le quart": minutes before the hour. */
  const minutesBefore = (said: readonly Word[], at: number): Read<number> | null => {
    const to = longestPhraseEnd(words.to, said, at);
    const count = to === null ? null : countAt(said, to);
    return count && { value: -count.value, end: count.end };
  };
  /** "trente", "et quart", "et demie". */
  const minutesPast = (said: readonly Word[], at: number): Read<number> | null => {
    const past = longestPhraseEnd(words.past, said, at) ?? at;
    const half = past > at ? longestPhraseEnd(words.half, said, past) : null;
    if (half !== null) return { value: 30, end: half };
    const three = longestPhraseEnd(words.three_quarters, said, past);
    if (three !== null) return { value: 45, end: three };
    // "sept heures et dix minutes" is a length.
    const count = countAt(said, past);
    return count && (past === at || count.value === 15) ? count : null;
  };
  const minutesAt = (said: readonly Word[], at: number): Read<number> => {
    const found = said[at]?.gap === '' ? (minutesBefore(said, at) ?? minutesPast(said, at)) : null;
    return found ?? { value: 0, end: at };
  };

  const timeAt = (said: readonly Word[], from: number): Read<SaidTime> | null => {
    const hour = hourAt(said, from);
    if (!hour) return null;
    const minutes = minutesAt(said, hour.end);
    return { value: timeOf(hour.value, minutes.value, said[from]?.word ?? ''), end: minutes.end };
  };

  return {
    read(said, from) {
      const time = timeAt(said, from);
      if (!time) return reader.read(said, from);
      const isOpen = time.value.half === null;
      const am = isOpen ? longestPhraseEnd(words.am, said, time.end) : null;
      const pm = isOpen ? longestPhraseEnd(words.pm, said, time.end) : null;
      if (am === null && pm === null) return time;
      return { value: { ...time.value, half: am === null ? 'pm' : 'am' }, end: am ?? pm ?? time.end };
    },
  };
}

/** "19 h", "0 h" and "07 h" are unambiguous; "7 h" may be either half of the day. */
function timeOf({ hour, isNamed }: Hour, minutes: number, digits: string): SaidTime {
  const isExact = isNamed || hour > 12 || hour === 0 || /^0\d/.test(digits);
  // "minuit et quart" is 0:15, and midnight itself the end of its day.
  const total = hour === 24 && minutes > 0 ? minutes : hour * 60 + minutes;
  // "une heure moins dix" is 12:50, and as ambiguous as one o'clock.
  const shown = !isExact && total < 60 ? total + 12 * 60 : total;
  const found = { hour: Math.floor(shown / 60), minute: shown % 60 };
  return { ...found, half: isExact ? (found.hour >= 12 ? 'pm' : 'am') : null, isPlain: true };
}
