import type { HomeCalendar, NewCalendarEntry } from '../../engines/home-calendars.ts';
import { numberOf } from '../../language/calendar/day.ts';
import type { createClock, LocalTime } from '../../language/calendar/time-zones.ts';
import type { Ask } from '../core/skill.ts';
import type { CalendarAnswer, SayCalendar } from './calendar-shape.ts';
import { isOfDays } from './calendar-times.ts';
import { foreign } from './foreign-words.ts';
import type { QuestionDaysReader } from './question-days.ts';

const dayMs = 24 * 3_600_000;

interface CalendarTellingOptions {
  say: SayCalendar;
  days: QuestionDaysReader;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
  time: (time: LocalTime) => string;
}

export type CalendarTelling = ReturnType<typeof createCalendarTelling>;

/** Words for entries and their times. */
export function createCalendarTelling({ say, days, clock, timeZone, time }: CalendarTellingOptions) {
  const here = (at: string) => clock(Date.parse(at), timeZone);
  const numberAt = (at: string) =>
    isOfDays({ start: at }) ? Math.round(Date.parse(at) / dayMs) : numberOf(here(at));
  const dayAt = (number: number, { turn }: Ask) => days.name(number, null, clock(turn.createdAt, timeZone));
  const valuesOf = (entry: NewCalendarEntry, ask: Ask) => ({
    event: foreign(entry.summary),
    when: dayAt(numberAt(entry.start), ask),
    time: isOfDays(entry) ? '' : time(here(entry.start)),
  });

  const keeping = (text: string, { turn }: Ask): CalendarAnswer => ({
    text,
    kept: say('asked_it', {}, turn),
  });

  return {
    keeping,
    named: (entry: NewCalendarEntry, ask: Ask): string =>
      say(isOfDays(entry) ? 'found_day' : 'found', valuesOf(entry, ask), ask.turn),
    asking: (entry: NewCalendarEntry, ask: Ask): CalendarAnswer =>
      keeping(
        say(isOfDays(entry) ? 'shall_remove_day' : 'shall_remove', valuesOf(entry, ask), ask.turn),
        ask,
      ),
    at: (entry: NewCalendarEntry, ask: Ask): CalendarAnswer =>
      keeping(say(isOfDays(entry) ? 'named_day' : 'named_at', valuesOf(entry, ask), ask.turn), ask),
    moved(entry: NewCalendarEntry, { name }: HomeCalendar, ask: Ask): CalendarAnswer {
      const values = { ...valuesOf(entry, ask), calendar: name };
      const text = say(isOfDays(entry) ? 'moved_day' : 'moved', values, ask.turn);
      return { text, kept: say('changed_it', {}, ask.turn) };
    },
    added(entry: NewCalendarEntry, { name }: HomeCalendar, ask: Ask): string {
      const values = { ...valuesOf(entry, ask), calendar: name };
      if (isOfDays(entry)) {
        const last = numberAt(entry.end) - 1;
        if (last === numberAt(entry.start)) return say('added_day', values, ask.turn);
        return say('added_days', { ...values, until: dayAt(last, ask) }, ask.turn);
      }
      const isUsual = Date.parse(entry.end) - Date.parse(entry.start) === dayMs / 24;
      if (isUsual) return say('added', values, ask.turn);
      return say('added_span', { ...values, end: time(here(entry.end)) }, ask.turn);
    },
  };
}
