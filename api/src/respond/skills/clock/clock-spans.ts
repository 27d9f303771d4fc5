import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import { type Day, dayFrom, isDay, numberOf, weekdayOf } from '../../../language/calendar/day.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { Ask } from '../../core/skill.ts';
import type { DaysOptions } from './clock-days.ts';
import { type ClockSaid, clockIntents } from './clock-slots.ts';

const { tells } = clockIntents;

/** Counts the days and weeks between two dates, and the weeks of the year. */
export function createClockSpans({ reply, say, here }: DaysOptions) {
  /** "Between March 3 and April 10": the coming ones. */
  const between = (ask: Ask, said: ClockSaid) => {
    const today = here(ask);
    const start = said.start?.(today) ?? null;
    const end = said.date?.(today) ?? null;
    if (!start || !end) return null;
    const [from, to] = inOrder(start, end, said.date);
    const days = numberOf(to) - numberOf(from);
    return { days, from: say.date(from, today), to: say.date(to, today) };
  };
  const daysBetween = (ask: Ask, said: ClockSaid) => {
    const found = between(ask, said);
    return found && reply('between', { ...found, days: say.days(found.days) }, ask.turn);
  };
  const weeksBetween = (ask: Ask, said: ClockSaid) => {
    const found = between(ask, said);
    if (!found || found.days < 7) return daysBetween(ask, said);
    const [weeks, days] = [say.weeks(Math.floor(found.days / 7)), say.days(found.days % 7)];
    const { from, to } = found;
    if (found.days % 7 === 0) return reply('between_weeks', { from, to, weeks }, ask.turn);
    return reply('between_weeks_and_days', { from, to, weeks, days }, ask.turn);
  };

  const since = (ask: Ask, { date, dateName }: ClockSaid) => {
    const today = here(ask);
    const past = date && lastOf(date, today);
    if (!past) return null;
    const days = numberOf(today) - numberOf(past);
    const subject = withCapital(say.name(dateName ?? ''));
    if (days === 1) return reply('until_yesterday', { subject }, ask.turn);
    return reply('until_past', { subject, days }, ask.turn);
  };

  const tellLeap = (ask: Ask, year: number) => {
    const isLeap = isDay({ year, month: 2, day: 29 });
    return reply(isLeap ? 'leap_year' : 'no_leap_year', { year }, ask.turn);
  };

  return {
    since: tells(since),
    days_between: tells(daysBetween),
    weeks_between: tells(weeksBetween),
    left_of_year: tells((ask) => {
      const { year } = here(ask);
      const days = numberOf({ year, month: 12, day: 31 }) - numberOf(here(ask));
      return reply('year_left', { days: say.days(days), year }, ask.turn);
    }),
    leap_year: tells((ask, { year }) => (year === null ? null : tellLeap(ask, year))),
    leap_this_year: tells((ask) => tellLeap(ask, here(ask).year)),
    week_number: tells((ask) => reply('week_number', { number: weekNumber(here(ask)) }, ask.turn)),
  };
}

/** "January 1st": the last one. Of other days only past ones, such as "last Monday". */
function lastOf(date: SaidDate, today: Day): Day | null {
  const coming = date(today);
  const isPast = (day: Day) => numberOf(day) < numberOf(today);
  if (!coming || isPast(coming)) return coming;
  const inYears = [0, 1].map((ago) => date({ year: today.year - ago, month: 1, day: 1 }));
  const isSame = (day: Day) => day.month === coming.month && day.day === coming.day;
  return inYears.find((day) => day !== null && isSame(day) && isPast(day)) ?? null;
}

/** Of two days that come every year, the second follows the first. Two close days may be in any order. */
const closeDays = 31;

function inOrder(start: Day, end: Day, next: SaidDate | null): [Day, Day] {
  const away = numberOf(end) - numberOf(start);
  if (away >= 0) return [start, end];
  const later = away < -closeDays ? next?.(start) : null;
  return later && numberOf(later) > numberOf(start) ? [start, later] : [end, start];
}

/** The week of the year by ISO 8601: week 1 holds the first Thursday, and Monday is the first day. */
function weekNumber(day: Day): number {
  const thursday = dayFrom(numberOf(day) - ((weekdayOf(day) + 6) % 7) + 3);
  const first = numberOf({ year: thursday.year, month: 1, day: 1 });
  return Math.floor((numberOf(thursday) - first) / 7) + 1;
}
