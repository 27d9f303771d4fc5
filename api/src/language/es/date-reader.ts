import type { DateReader, DateWords } from '../calendar/date-reader.ts';
import { createDateReader } from '../en/date-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import type { NumberReader } from '../numbers/number-reader.ts';

const maxDay = 31n;

/**
 * Spanish dates: days are plain numbers ("el veinticuatro de diciembre"). "de" precedes the year, and "que
 * viene" follows a day. Everything else is said as in English.
 */
export function createSpanishDateReader(known: DateWords, numbers: NumberReader): DateReader {
  const reader = createDateReader(known, {
    ...numbers,
    readOrdinal(said, from) {
      const ordinal = numbers.readOrdinal(said, from);
      if (ordinal) return ordinal;
      const number = numbers.read(said, from);
      const isDay = number?.value.bottom === 1n && number.value.top >= 1n && number.value.top <= maxDay;
      return isDay ? { value: Number(number.value.top), end: number.end } : null;
    },
  });
  return {
    ...reader,
    read: remembered((said, from) => {
      const date = reader.read(said, from);
      if (!date) return null;
      // "de 2027", "del dos mil veintisiete"
      const isOfYear =
        reader.monthNumber(said[date.end - 1]?.word ?? '') !== null && isOneOf(known.of, said[date.end]);
      const yearAt = date.end + (isOneOf(known.the, said[date.end + 1]) ? 2 : 1);
      const dated = isOfYear ? reader.read(said.toSpliced(date.end, yearAt - date.end), from) : null;
      if (dated && dated.end > date.end) return { value: dated.value, end: dated.end + yearAt - date.end };
      const isWeekday = reader.readWeekday(said, date.end - 1) !== null;
      const next = isWeekday ? longestPhraseEnd(known.next, said, date.end) : null;
      return next === null ? date : { value: date.value, end: next };
    }),
  };
}

function isOneOf(words: readonly string[], said: Word | undefined): boolean {
  return said !== undefined && words.includes(said.word);
}
