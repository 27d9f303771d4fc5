import type { DateReader, DateWords } from '../calendar/date-reader.ts';
import { createDateReader } from '../en/date-reader.ts';
import { skipPhrase } from '../grammar/phrase-at.ts';
import type { NumberReader } from '../numbers/number-reader.ts';

/**
 * French dates: days of the month are plain numbers ("le trois mai", "le 15"), and "prochain" follows the
 * day. Everything else is said as in English.
 */
export function createFrenchDateReader(known: DateWords, numbers: NumberReader): DateReader {
  const readOrdinal: NumberReader['readOrdinal'] = (said, from) => {
    const ordinal = numbers.readOrdinal(said, from);
    if (ordinal) return ordinal;
    const number = numbers.read(said, from);
    if (number?.value.bottom !== 1n || number.value.top < 1n || number.value.top > 31n) return null;
    return { value: Number(number.value.top), end: number.end };
  };
  const reader = createDateReader(known, { ...numbers, readOrdinal });
  return {
    ...reader,
    read(said, from) {
      const date = reader.read(said, from);
      return date && { value: date.value, end: skipPhrase(known.next, said, date.end) };
    },
  };
}
