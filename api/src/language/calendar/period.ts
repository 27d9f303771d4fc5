import type { SaidDate } from './date-reader.ts';
import { clampedDay, type Day, dayFrom, monthAfter, numberOf, weekdayOf } from './day.ts';

export const periodNames = [
  'weekend',
  'next_weekend',
  'week',
  'next_week',
  'week_after_next',
  'month',
  'next_month',
  'year',
  'next_year',
  'some_day',
] as const;
type PeriodName = (typeof periodNames)[number];

/** The first and the last day. */
export interface Period {
  from: Day;
  to: Day;
}

/** A spoken period; its days depend on today. */
export type SaidPeriod = (today: Day) => Period;

type NamedPeriod = Exclude<PeriodName, 'some_day'>;

/** Weeks begin on Monday. */
const periods: Readonly<Record<NamedPeriod, SaidPeriod>> = {
  weekend: (today) => weekIn(today, { weeks: 0, first: 5 }),
  next_weekend: (today) => weekIn(today, { weeks: 1, first: 5 }),
  week: (today) => weekIn(today, { weeks: 0 }),
  next_week: (today) => weekIn(today, { weeks: 1 }),
  week_after_next: (today) => weekIn(today, { weeks: 2 }),
  month: (today) => monthOf(today),
  next_month: (today) => monthOf(monthAfter(today, 1)),
  year: ({ year }) => yearOf(year),
  next_year: ({ year }) => yearOf(year + 1),
};

/** The days of "next week". Undefined for "some day". */
export function periodNamed(name: PeriodName): SaidPeriod | undefined {
  return name === 'some_day' ? undefined : periods[name];
}

/** The next month of this number, or the current one: 9 is September. */
export function comingMonth(month: number): SaidPeriod {
  return (today) => monthOf({ year: month < today.month ? today.year + 1 : today.year, month });
}

/** The day of a period that "the 5th" or "Monday" names. Null: the period has no such day. */
export function dayWithin({ from, to }: Period, date: SaidDate, today: Day): Day | null {
  const before = dayFrom(numberOf(from) - 1);
  // A weekday lies ahead of the day from which it is counted.
  const starts = isRelative(date, today) ? [today] : [today, before];
  const isIn = (day: Day) => numberOf(day) >= numberOf(from) && numberOf(day) <= numberOf(to);
  return starts.map(date).find((day) => day !== null && isIn(day)) ?? null;
}

/** "Tomorrow": the same number of days from any day. */
function isRelative(date: SaidDate, today: Day): boolean {
  const [one, other] = [today, dayFrom(numberOf(today) + 1)].map((start) => {
    const day = date(start);
    return day && numberOf(day) - numberOf(start);
  });
  return one !== null && one === other;
}

function weekIn(today: Day, { weeks, first = 0 }: { weeks: number; first?: number }): Period {
  const monday = numberOf(today) - ((weekdayOf(today) + 6) % 7) + 7 * weeks;
  return { from: dayFrom(monday + first), to: dayFrom(monday + 6) };
}

function monthOf(month: Pick<Day, 'year' | 'month'>): Period {
  return { from: { ...month, day: 1 }, to: clampedDay(month, 31) };
}

function yearOf(year: number): Period {
  return { from: { year, month: 1, day: 1 }, to: { year, month: 12, day: 31 } };
}
