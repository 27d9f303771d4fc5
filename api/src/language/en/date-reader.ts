import { createFigureDateReader } from '../calendar/date-figures.ts';
import type { DateReader, DateWords, SaidDate } from '../calendar/date-reader.ts';
import {
  type Day,
  dayFrom,
  dayIn,
  feastIn,
  isDay,
  monthAfter,
  numberOf,
  weekdayIn,
  weekdayOf,
} from '../calendar/day.ts';
import { createNameReader } from '../grammar/name-reader.ts';
import type { Word } from '../grammar/words.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';
import { createRelativeDateReader } from './relative-date-reader.ts';

/** English dates: the day before or after its month, and the year last. */
export function createDateReader(known: DateWords, numbers: NumberReader): DateReader {
  const names = new Map<string, SaidDate>();
  const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
  for (const [name, days] of Object.entries(known.days))
    names.set(name, (today) => dayFrom(numberOf(today) + days));
  for (const [name, feast] of Object.entries(known.feasts)) {
    const next = nextOf((year) => feastIn(year, feast));
    for (const start of ['', ...known.next]) names.set(`${start} ${name}`.trim(), next);
  }
  for (const [weekday, name] of lower(known.weekdays).entries()) {
    const ahead: SaidDate = (today) => dayFrom(numberOf(today) + ((weekday - weekdayOf(today) + 6) % 7) + 1);
    for (const start of ['', ...known.next]) names.set(`${start} ${name}`.trim(), ahead);
  }
  const months = lower(known.months);

  const named = createNameReader(names);
  const weekdays = createNameReader(new Map(lower(known.weekdays).map((name, at) => [name, at])));
  const monthsAway = createNameReader(new Map(Object.entries(known.months_away)));
  const last = createNameReader(new Map(known.last.map((name) => [name, -1])));

  const skip = (words: readonly string[], said: readonly Word[], at: number) =>
    words.includes(said[at]?.word ?? '') ? at + 1 : at;
  const monthAt = (said: readonly Word[], at: number) => months.indexOf(said[at]?.word ?? '') + 1;

  /** "24", "24th", "twenty-fourth". Behind a month also "twenty-four". */
  const dayAt = (said: readonly Word[], at: number, isBehindMonth: boolean): Read<number> | null => {
    const word = said[at]?.word ?? '';
    const figures = /^\d{1,2}$/.test(word) ? { value: Number(word), end: at + 1 } : null;
    const whole = isBehindMonth && !/\d/.test(word) ? numbers.read(said, at) : null;
    // "April twenty twenty-seven" is a year.
    const isDayInWords = whole?.value.bottom === 1n && numbers.read(said, whole.end) === null;
    const inWords = whole && isDayInWords ? { ...whole, value: Number(whole.value.top) } : null;
    const day = numbers.readOrdinal(said, at) ?? figures ?? inWords;
    return day && day.value >= 1 && day.value <= 31 ? day : null;
  };

  /** "2027", "twenty twenty-seven", "two thousand and thirty". */
  const yearAt = (said: readonly Word[], at: number): Read<number> | null => {
    const whole = numbers.read(said, at);
    if (whole?.value.bottom !== 1n) return null;
    const first = Number(whole.value.top);
    if (first >= 1000 && first <= 9999) return { value: first, end: whole.end };
    const second = first >= 10 && first <= 99 ? numbers.read(said, whole.end) : null;
    if (second?.value.bottom !== 1n || second.value.top > 99n) return null;
    return { value: first * 100 + Number(second.value.top), end: second.end };
  };

  /** "[the] 24th [of] December" or "December [the] 24th", and perhaps a year. */
  const written = (said: readonly Word[], from: number): Read<SaidDate> | null => {
    const monthFirst = monthAt(said, from);
    const isBehindMonth = monthFirst > 0;
    const day = dayAt(said, skip(known.the, said, isBehindMonth ? from + 1 : from), isBehindMonth);
    if (!day) return null;
    const place = monthFirst ? from : skip(known.of, said, day.end);
    const month = monthFirst || monthAt(said, place);
    if (!month) return null;
    const end = monthFirst ? day.end : place + 1;
    const year = yearAt(said, end);
    const inYear = (each: number) => ({ year: each, month, day: day.value });
    if (!year) return { value: nextOf(inYear), end };
    return { value: () => (isDay(inYear(year.value)) ? inYear(year.value) : null), end: year.end };
  };

  const figuresAt = createFigureDateReader(known);
  /** "12/24", "24.12.2027" */
  const inFigures = (said: readonly Word[], from: number): Read<SaidDate> | null => {
    const found = figuresAt(said, from);
    if (!found) return null;
    const { year, ...day } = found.value;
    const inYear = (each: number) => ({ ...day, year: each });
    return { value: year === null ? nextOf(inYear) : () => dayIn(inYear(year)), end: found.end };
  };

  /** "the third Friday of this month", "the last Monday in May". */
  const weekdayOfMonth = (said: readonly Word[], from: number): Read<SaidDate> | null => {
    const at = skip(known.the, said, from);
    const which = last(said, at) ?? numbers.readOrdinal(said, at);
    const weekday = which && weekdays(said, which.end);
    if (!which || !weekday || which.value > 5) return null;
    const place = { weekday: weekday.value, which: which.value };
    const behind = skip(known.in, said, weekday.end);
    if (behind === weekday.end) return null;
    const away = monthsAway(said, behind);
    if (away) {
      const date: SaidDate = (today) => dayIn(weekdayIn(monthAfter(today, away.value), place));
      return { value: date, end: away.end };
    }
    const month = monthAt(said, behind);
    if (!month) return null;
    const year = yearAt(said, behind + 1);
    const inYear = (each: number) => weekdayIn({ year: each, month }, place);
    if (!year) return { value: nextOf(inYear), end: behind + 1 };
    return { value: () => dayIn(inYear(year.value)), end: year.end };
  };

  const read = (said: readonly Word[], from: number): Read<SaidDate> | null =>
    weekdayOfMonth(said, from) ?? named(said, from) ?? inFigures(said, from) ?? written(said, from);
  return createRelativeDateReader({ read }, known, numbers);
}

/** The next one from today on. The next 29th of February may be eight years away. */
function nextOf(inYear: (year: number) => Day): SaidDate {
  return (today) => {
    for (let year = today.year; year <= today.year + 8; year += 1) {
      const day = inYear(year);
      if (isDay(day) && numberOf(day) >= numberOf(today)) return day;
    }
    return null;
  };
}
