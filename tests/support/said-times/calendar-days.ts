import { DateTime } from 'luxon';

/* Days that people name, computed by a calendar library and by none of Hearth's own code. */

/** The household's time zone. */
export const zone = 'Europe/London';

/** Whether a repetition includes a day. Intervals count from the first day; null before it. */
export type IsOn = (day: DateTime, first: DateTime | null) => boolean;

/** The day after so many days. */
export const after = (now: DateTime, days: number): DateTime => now.startOf('day').plus({ days });

/** The next such weekday, from 1 for Monday. If it is today, that of next week may be meant too. */
export function coming(now: DateTime, weekday: number): DateTime[] {
  const first = after(now, (weekday - now.weekday + 7) % 7);
  return first.hasSame(now, 'day') ? [first, first.plus({ weeks: 1 })] : [first];
}

/** Such a weekday in the next calendar week. On a Sunday, the next week begins tomorrow for some people. */
export function inNextWeek(now: DateTime, weekday: number): DateTime[] {
  const next = now.startOf('week').plus({ weeks: 1, days: weekday - 1 });
  return now.weekday === 7 ? [next, next.plus({ weeks: 1 })] : [next];
}

/** The first of these days that is not over, and the second if the first is today. */
export function ahead(now: DateTime, days: readonly DateTime[]): DateTime[] {
  const [first, second] = days.filter((day) => day >= now.startOf('day'));
  return [first, first?.hasSame(now, 'day') ? second : undefined].filter((day) => day !== undefined);
}

/** A day in several years or months from now, if it exists. */
export function eachOf(now: DateTime, unit: 'years' | 'months', dayIn: (start: DateTime) => DateTime | null) {
  const starts = Array.from({ length: 10 }, (_, at) =>
    now.startOf(unit === 'years' ? 'year' : 'month').plus({ [unit]: at - 1 }),
  );
  return starts.map(dayIn).filter((day) => day?.isValid === true) as DateTime[];
}

/** The next time that this day of the month comes. */
export function onDayOfMonth(now: DateTime, day: number): DateTime[] {
  const dayIn = (month: DateTime) => (day <= (month.daysInMonth ?? 0) ? month.set({ day }) : null);
  return ahead(now, eachOf(now, 'months', dayIn));
}

/** This day in a year. */
export const dateIn = ({ month, day }: { month: number; day: number }) => {
  return (year: DateTime): DateTime => DateTime.fromObject({ year: year.year, month, day }, { zone });
};

/** The next time that this day of the year comes. */
export function onDate(now: DateTime, date: { month: number; day: number }): DateTime[] {
  return ahead(now, eachOf(now, 'years', dateIn(date)));
}

/** The first, second, third, fourth or last (-1) such weekday of a month. */
export function weekdayIn(month: DateTime, weekday: number, place: number): DateTime {
  const first = month.startOf('month').plus({ days: (weekday - month.startOf('month').weekday + 7) % 7 });
  const last = first.plus({ weeks: 4 });
  if (place > 0) return first.plus({ weeks: place - 1 });
  return last.month === month.month ? last : first.plus({ weeks: 3 });
}

/** Every so many days. */
export function isEach(count: number): IsOn {
  return (day, first) => first === null || Math.round(day.diff(first, 'days').days) % count === 0;
}

/** The first three times of a repetition. An hour from 24 is in the night after the day. */
export function firstTimes(isOn: IsOn, now: DateTime, time: { hour: number; minute: number }): DateTime[] {
  const times: DateTime[] = [];
  let first: DateTime | null = null;
  for (let day = after(now, -1); times.length < 3; day = day.plus({ days: 1 })) {
    const due = day.set(time);
    if (!isOn(day, first) || due <= now) continue;
    first ??= day;
    times.push(due);
  }
  return times;
}
