import type { DateReader, DateWords } from '../calendar/date-reader.ts';
import { createDateReader } from '../en/date-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import { remembered } from '../grammar/remembered.ts';
import type { NumberReader } from '../numbers/number-reader.ts';

const maxDay = 31n;

/**
 * Spanish dates: days are plain numbers ("el veinticuatro de diciembre"), the year comes behind "de", and
 * "que viene" behind a day. Everything else is said as in English.
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
      // "de 2027"
      const year =
        known.of.includes(said[date.end]?.word ?? '') && reader.isMonth(said[date.end - 1]?.word ?? '');
      const dated = year ? reader.read(said.toSpliced(date.end, 1), from) : null;
      if (dated && dated.end > date.end) return { value: dated.value, end: dated.end + 1 };
      const isWeekday = reader.readWeekday(said, date.end - 1) !== null;
      const next = isWeekday ? longestPhraseEnd(known.next, said, date.end) : null;
      return next === null ? date : { value: date.value, end: next };
    }),
  };
}
