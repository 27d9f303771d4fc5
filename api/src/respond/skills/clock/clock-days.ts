import { type Day, dayFrom, isDay, monthAfter, numberOf, weekdayOf } from '../../../language/calendar/day.ts';
import type { LocalTime } from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { Ask } from '../../core/skill.ts';
import type { createDateWords, loadClock } from './clock-language.ts';
import { type ClockSaid, clockIntents } from './clock-slots.ts';

const { tells } = clockIntents;

type Clock = ReturnType<typeof loadClock>;

export interface DaysOptions {
  reply: Clock['reply'];
  say: ReturnType<typeof createDateWords>;
  here: (ask: Ask) => LocalTime;
}

/** Answers the weekday of a date, the date of a weekday, and the days until then. */
export function createClockDays({ reply, say, here }: DaysOptions) {
  /** The spoken name of a day, inside a sentence and at its start. */
  const subjectOf = ({ dateName }: ClockSaid) => {
    const name = say.name(dateName ?? '');
    return { name, start: withCapital(name) };
  };

  const dayOf = (ask: Ask, said: ClockSaid) => tellDay(ask, said, said.date?.(here(ask)) ?? null);
  /** In this year, even if it is past. */
  const dayThisYear = (ask: Ask, said: ClockSaid) => {
    const today = here(ask);
    const next = said.date?.(today) ?? null;
    const isOver = next !== null && next.year !== today.year;
    return tellDay(ask, said, isOver ? (said.date?.({ ...today, month: 1, day: 1 }) ?? null) : next);
  };
  const tellDay = (ask: Ask, said: ClockSaid, day: Day | null) => {
    if (!day) return null;
    const today = here(ask);
    const [subject, date] = [subjectOf(said).start, say.date(day, today)];
    const isPast = numberOf(day) < numberOf(today);
    // The answer to "the 4th of July 1976" repeats the number of the day anyway.
    if (/\d/.test(subject)) return reply(isPast ? 'date_was' : 'date_is', { date }, ask.turn);
    return reply(isPast ? 'day_was' : 'day_of', { subject, date }, ask.turn);
  };

  /** The next day with that number: in this month, unless it has passed. */
  const dayOfNumber = (ask: Ask, { nth }: ClockSaid) => {
    const today = here(ask);
    const next = [0, 1, 2]
      .map((months) => monthAfter(today, months))
      .map((month) => ({ ...month, day: nth ?? 0 }))
      .find((day) => isDay(day) && numberOf(day) >= numberOf(today));
    return next ? reply('date_is', { date: say.date(next, today) }, ask.turn) : null;
  };

  /** The day with that number in this month, even if it is past. */
  const numberThisMonth = (ask: Ask, { nth }: ClockSaid) => {
    const today = here(ask);
    const day = { year: today.year, month: today.month, day: nth ?? 0 };
    if (!isDay(day)) return null;
    const isOver = numberOf(day) < numberOf(today);
    return reply(isOver ? 'date_was' : 'date_is', { date: say.date(day, today) }, ask.turn);
  };

  const isToday = (ask: Ask, isSo: boolean) => {
    const date = say.date(here(ask), here(ask));
    return reply(isSo ? 'yes_today' : 'no_today', { date }, ask.turn);
  };

  const until = (ask: Ask, said: ClockSaid) => {
    const day = said.date?.(here(ask)) ?? null;
    if (!day) return null;
    const days = numberOf(day) - numberOf(here(ask));
    const { name, start } = subjectOf(said);
    if (days === 0) return reply('until_today', {}, ask.turn);
    if (days === 1) return reply('until_one', { subject: name }, ask.turn);
    if (days === -1) return reply('until_yesterday', { subject: start }, ask.turn);
    if (days < 0) return reply('until_past', { subject: start, days: -days }, ask.turn);
    return reply('until', { subject: name, days }, ask.turn);
  };

  const weeksUntil = (ask: Ask, said: ClockSaid) => {
    const day = said.date?.(here(ask)) ?? null;
    const days = day ? numberOf(day) - numberOf(here(ask)) : 0;
    if (days < 7) return until(ask, said);
    const [weeks, others] = [say.weeks(Math.floor(days / 7)), say.days(days % 7)];
    const values = { subject: subjectOf(said).name, weeks, days: others };
    return reply(days % 7 === 0 ? 'weeks' : 'weeks_and_days', values, ask.turn);
  };

  return {
    is_weekend: tells((ask) => isToday(ask, [0, 6].includes(weekdayOf(here(ask))))),
    day_in: tells((ask, { ahead }) => {
      const today = here(ask);
      if (ahead === null) return null;
      return reply('date_is', { date: say.date(dayFrom(numberOf(today) + ahead), today) }, ask.turn);
    }),
    day_of_number: tells(dayOfNumber),
    number_this_month: tells(numberThisMonth),
    is_today: tells((ask, { date }) => {
      const day = date?.(here(ask)) ?? null;
      return day && isToday(ask, numberOf(day) === numberOf(here(ask)));
    }),
    is_weekday: tells((ask, { weekday }) =>
      weekday === null ? null : isToday(ask, weekdayOf(here(ask)) === weekday),
    ),
    is_on_weekday: tells((ask, said) => {
      const day = said.date?.(here(ask)) ?? null;
      if (!day || said.weekday === null) return null;
      const values = { subject: subjectOf(said).name, date: say.date(day, here(ask)) };
      return reply(weekdayOf(day) === said.weekday ? 'yes_day' : 'no_day', values, ask.turn);
    }),
    day_of: tells(dayOf),
    day_this_year: tells(dayThisYear),
    until: tells(until),
    until_own: tells(({ turn }) => reply('until_own', {}, turn)),
    weeks_until: tells(weeksUntil),
  };
}
