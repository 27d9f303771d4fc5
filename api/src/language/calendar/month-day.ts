import { skipPhrase } from '../grammar/phrase-at.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import type { DateReader, SaidDate } from './date-reader.ts';
import { isDay, numberOf } from './day.ts';

interface MonthDayOptions {
  dates: DateReader;
  numbers: Pick<NumberReader, 'readOrdinal'>;
  the: readonly string[];
  /** "the fifth OF THIS MONTH" */
  ofMonth: readonly string[];
}

/** Also reads "the fifth" without a month as the next one. */
export function withMonthDays({ dates, numbers, the, ofMonth }: MonthDayOptions): DateReader {
  return {
    ...dates,
    read(said, from) {
      const whole = dates.read(said, from);
      if (whole || !the.includes(said[from]?.word ?? '')) return whole;
      const day = numbers.readOrdinal(said, from + 1);
      if (!day || day.value < 1 || day.value > 31) return null;
      return { value: nextOn(day.value), end: skipPhrase(ofMonth, said, day.end) };
    },
  };
}

/** One of two consecutive months has the day. */
function nextOn(day: number): SaidDate {
  return (today) => {
    for (let ahead = 0; ahead < 3; ahead += 1) {
      const months = today.month - 1 + ahead;
      const found = { year: today.year + Math.floor(months / 12), month: (months % 12) + 1, day };
      if (isDay(found) && numberOf(found) >= numberOf(today)) return found;
    }
    return null;
  };
}
