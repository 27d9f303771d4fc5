import { type CalendarEntry, calendarFeatures } from '../../engines/home-calendars.ts';
import type { SaidMoment } from '../../language/calendar/moment-reader.ts';
import type { createClock } from '../../language/calendar/time-zones.ts';
import type { Ask } from '../core/skill.ts';
import type { createCalendarFinding, FoundEntry } from './calendar-finding.ts';
import type { CalendarRequest, SaidTimes } from './calendar-request.ts';
import type { CalendarAnswer } from './calendar-shape.ts';
import { type createCalendarTimes, dateText, isOfDays } from './calendar-times.ts';
import {
  type CalendarChanging,
  calendarsNamed,
  keptCalendar,
  listedCalendars,
  plainly,
  seenIn,
} from './calendar-writer.ts';

const dayMs = 24 * 3_600_000;
const maxTold = 3;

type Removal = Extract<CalendarRequest, { verb: 'remove' }>;
type Move = Extract<CalendarRequest, { verb: 'move' }>;

export interface CalendarMovingOptions extends CalendarChanging {
  times: ReturnType<typeof createCalendarTimes>;
  find: ReturnType<typeof createCalendarFinding>;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** Moves calendar entries, and asks before it deletes one. */
export function createCalendarMoving(options: CalendarMovingOptions) {
  const { client, words, say, find, telling, pendingQuestions, note } = options;
  const movedTo = createMovedTimes(options);

  /** The entry, or why it cannot be changed. */
  const changeable = (found: FoundEntry, feature: number, { turn }: Ask): FoundEntry | CalendarAnswer => {
    const { calendar, entry } = found;
    if (entry.repeats) return plainly(say('repeats_there', {}, turn));
    if ((calendar.features & feature) !== 0 && entry.uid) return found;
    const reply = feature === calendarFeatures.remove ? 'cannot_remove' : 'cannot_move';
    return plainly(say(reply, { calendar: calendar.name }, turn));
  };

  /** The one matching entry, or why there is none. */
  const meant = async (
    ask: Ask,
    request: Removal | Move,
    feature: number,
  ): Promise<FoundEntry | CalendarAnswer> => {
    const { turn, signal } = ask;
    const { entry, isNext } = request;
    const isNamed = isNext || entry.title !== '' || entry.noun !== '';
    if (entry.isPointing || !isNamed) return plainly(say('unclear', {}, turn));
    const all = await client.knownCalendars(signal);
    const named = calendarsNamed(all, entry.calendar, words);
    if (named.length === 0)
      return plainly(
        say('no_calendar', { name: entry.calendar, calendars: listedCalendars(all, words) }, turn),
      );
    const found = await find(entry, named, {
      isNext,
      isExact: request.verb === 'move',
      now: turn.createdAt,
      signal,
    });
    const [one, ...more] = found;
    if (!one) return plainly(say(entry.title ? 'none_found' : 'nothing_found', { name: entry.title }, turn));
    if (more.length === 0) return changeable(one, feature, ask);
    const events = found.slice(0, maxTold).map((each) => telling.named(each.entry, ask));
    return telling.keeping(say('several_found', { events: events.join(words.between) }, turn), ask);
  };

  const remove = async (ask: Ask, request: Removal) => {
    const found = await meant(ask, request, calendarFeatures.remove);
    if ('text' in found) return found;
    const { entry, calendar } = found;
    await pendingQuestions.note(ask.turn, {
      kind: 'calendar.remove',
      calendar: keptCalendar(calendar),
      entry,
    });
    return telling.asking(entry, ask);
  };

  const move = async (ask: Ask, request: Move) => {
    const { turn, signal } = ask;
    const found = await meant(ask, request, calendarFeatures.update);
    if ('text' in found) return found;
    const { entry, calendar } = found;
    const at = movedTo(entry, request, turn.createdAt);
    if (at === 'when' || at === 'time') return plainly(say('unclear', {}, turn));
    if (typeof at === 'string') return plainly(say(at, {}, turn));
    const after = { ...entry, ...at };
    await ask.beginActing();
    await client.changeEntry(calendar.id, entry.uid ?? '', after, signal);
    const seen = await seenIn(client, calendar, after, signal);
    await note({ calendar: keptCalendar(calendar), before: entry, after: seen ?? after }, ask);
    return seen
      ? telling.moved(after, calendar, ask)
      : plainly(say('not_seen', { calendar: calendar.name }, turn));
  };

  return { remove, move };
}

/** An entry's times after a move: unspoken parts stay. */
function createMovedTimes({ times, clock, timeZone }: CalendarMovingOptions) {
  const lengthOf = ({ start, end }: CalendarEntry) => Date.parse(end) - Date.parse(start);

  const shifted = (entry: CalendarEntry, by: number) => {
    if (!isOfDays(entry)) return spanAt(Date.parse(entry.start) + by, lengthOf(entry));
    return by % dayMs === 0 ? shiftedDays(entry, by / dayMs) : 'unclear';
  };

  const onDays = (entry: CalendarEntry, to: SaidTimes, now: number) => {
    if (to.from?.time) return times(to, '', now);
    const found = times({ ...to, isWholeDay: true }, '', now);
    if (typeof found === 'string') return found;
    return shiftedDays(entry, (Date.parse(found.start) - Date.parse(entry.start)) / dayMs);
  };

  const atTime = (entry: CalendarEntry, to: SaidTimes, from: SaidMoment, now: number) => {
    const here = clock(Date.parse(entry.start), timeZone);
    const hasDay = from.date !== null || from.isToday || from.after !== null;
    const half: 'am' | 'pm' = here.hour < 12 ? 'am' : 'pm';
    const time = from.time ?? { hour: here.hour % 12 || 12, minute: here.minute, half, isPlain: true };
    const date = hasDay ? from.date : () => here;
    const found = times({ ...to, from: { ...from, time, date } }, entry.summary, now);
    const isWhole = to.to !== null || to.lastsMs !== null;
    return typeof found === 'string' || isWhole ? found : spanAt(Date.parse(found.start), lengthOf(entry));
  };

  return (entry: CalendarEntry, { by, to }: Move, now: number) => {
    if (by !== null) return shifted(entry, by);
    if (!to?.from) return 'unclear';
    return isOfDays(entry) ? onDays(entry, to, now) : atTime(entry, to, to.from, now);
  };
}

const spanAt = (start: number, lasts: number) => ({
  start: new Date(start).toISOString(),
  end: new Date(start + lasts).toISOString(),
});

const shiftedDays = ({ start, end }: CalendarEntry, by: number) => {
  const [first, last] = [start, end].map((date) => dateText(Math.round(Date.parse(date) / dayMs) + by));
  return { start: first ?? start, end: last ?? end };
};
