import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { DateWords } from './date-reader.ts';

/** A day, its month and perhaps its year. */
export interface DateInFigures {
  day: number;
  month: number;
  year: number | null;
}

type FigureWords = Pick<DateWords, 'month_first' | 'before_figures' | 'the'> & {
  relative: Pick<DateWords['relative'], 'on'>;
};

/** Denominators of common fractions: "1/2" is a date only after "on". */
const commonParts = [2, 3, 4, 5, 6, 8, 10, 16];

/** Reads "12/24", "24/12/2027", and "24.12." where the day comes first. */
export function createFigureDateReader({ month_first, before_figures, the, relative }: FigureWords) {
  const ofDay = new Set([...relative.on, ...the].flatMap((phrase) => phrase.split(' ').slice(-1)));
  const isBehindOn = (said: readonly Word[], from: number) => ofDay.has(said[from - 1]?.word ?? '');
  /** Within a sentence "10/2" alone is a division. */
  const isLed = (said: readonly Word[], from: number) =>
    from === 0 || isBehindOn(said, from) || before_figures.includes(said[from - 1]?.word ?? '');

  const dateOf = (parts: readonly number[]): DateInFigures | null => {
    const [first = 0, second = 0, year] = parts;
    const isMonthFirst = second > 12 || (month_first && first <= 12);
    const [month, day] = isMonthFirst ? [first, second] : [second, first];
    if (month < 1 || month > 12 || day < 1 || day > 31) return null;
    return { day, month, year: year === undefined ? null : fullYear(year) };
  };

  /** "8/12", "8/12/27" */
  const withSlashes = (said: readonly Word[], from: number): Read<DateInFigures> | null => {
    const parts = numbersBetween(said, from);
    const [first = 0, second = 0] = parts;
    const isFraction = parts.length === 2 && first < second && commonParts.includes(second);
    if (parts.length < 2 || parts.length > 3) return null;
    const isDate = parts.length === 3 || (isFraction ? isBehindOn(said, from) : isLed(said, from));
    const date = isDate ? dateOf(parts) : null;
    return date && { value: date, end: from + 2 * parts.length - 1 };
  };

  /** "24.12.", "8.12.2027" */
  const withStops = (said: readonly Word[], from: number): Read<DateInFigures> | null => {
    const parts = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{2}|\d{4}))?$/.exec(said[from]?.word ?? '');
    const isYear = parts?.[3] !== undefined;
    if (!parts || month_first || (!isYear && !isBehindOn(said, from))) return null;
    const date = dateOf(parts.slice(1, isYear ? 4 : 3).map(Number));
    return date && { value: date, end: from + 1 };
  };

  return (said: readonly Word[], from: number): Read<DateInFigures> | null =>
    withSlashes(said, from) ?? withStops(said, from);
}

/** The numbers of "8/12/2027", which have no spaces between. */
function numbersBetween(said: readonly Word[], from: number): number[] {
  const parts: number[] = [];
  for (let at = from; /^\d{1,4}$/.test(said[at]?.word ?? ''); at += 2) {
    parts.push(Number(said[at]?.word));
    const [number, slash, next] = said.slice(at, at + 3);
    if (slash?.word !== '/' || slash.start !== number?.end || next?.start !== slash.end) break;
  }
  return parts;
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}
