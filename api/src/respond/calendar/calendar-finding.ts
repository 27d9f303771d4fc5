import type { CalendarEntry, HomeCalendar } from '../../engines/home-calendars.ts';
import { dayFrom, numberOf } from '../../language/calendar/day.ts';
import { instantOf } from '../../language/calendar/instant.ts';
import type { SaidTime } from '../../language/calendar/time-reader.ts';
import type { createClock, LocalTime } from '../../language/calendar/time-zones.ts';
import type { SaidEntry } from './calendar-request.ts';
import type { CalendarWords } from './calendar-shape.ts';
import { isOfDays } from './calendar-times.ts';
import { hoursOfPart } from './question-days.ts';

const dayMs = 24 * 3_600_000;
/** How many days ahead to search when no day is named. */
const aheadDays = 60;

export interface FoundEntry {
  calendar: HomeCalendar;
  entry: CalendarEntry;
}

interface FindingOptions {
  client: {
    entries(id: string, span: { from: number; to: number }, signal: AbortSignal): Promise<CalendarEntry[]>;
  };
  words: CalendarWords;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** Finds calendar entries by name, day and time. */
export function createCalendarFinding({ client, words, clock, timeZone }: FindingOptions) {
  const midnight = (number: number) =>
    instantOf({ ...dayFrom(number), hour: 0, minute: 0 }, { clock, timeZone });

  /** The range of days to search. */
  const spanOf = ({ from }: SaidEntry, now: number) => {
    const today = clock(now, timeZone);
    const day = from?.date ? from.date(today) : null;
    if (day) return { from: midnight(numberOf(day)), to: midnight(numberOf(day) + 1) };
    if (from?.after?.days != null) {
      const number = numberOf(today) + from.after.days;
      return { from: midnight(number), to: midnight(number + 1) };
    }
    if (from?.isToday) return { from: midnight(numberOf(today)), to: midnight(numberOf(today) + 1) };
    return { from: now, to: now + aheadDays * dayMs };
  };

  const isAt = ({ from }: SaidEntry, entry: CalendarEntry): boolean => {
    const [time, part] = [from?.time ?? null, from?.part ?? null];
    if (!time && !part) return true;
    if (isOfDays(entry)) return false;
    const at = clock(Date.parse(entry.start), timeZone);
    const isInPart = part === null || (at.hour >= hoursOfPart[part][0] && at.hour < hoursOfPart[part][1]);
    return isInPart && (time === null || isTimeOf(time, at));
  };

  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !words.articles.includes(word));

  /**
   * Whether an entry's title contains all words of a name. Generic words such as "meeting" may be missing,
   * unless the match must be exact. The calendar may add some: "the soccer practice".
   */
  const isNamed = (title: string, { calendar, entry }: FoundEntry, isExact: boolean): boolean => {
    const there = wordsOf(entry.summary);
    const around = wordsOf(calendar.name);
    const said = wordsOf(title).filter((word) => !words.joins.includes(word) || there.includes(word));
    const telling = said.filter((word) => !words.nouns.includes(word));
    const wanted = isExact && telling.length === 0 ? said : telling;
    const inTitle = wanted.filter((word) => there.includes(word));
    const isInTitle = wanted.length === 0 || inTitle.length > 0;
    return isInTitle && wanted.every((word) => inTitle.includes(word) || around.includes(word));
  };

  return async (
    said: SaidEntry,
    calendars: readonly HomeCalendar[],
    { isNext, isExact, now, signal }: { isNext: boolean; isExact: boolean; now: number; signal: AbortSignal },
  ): Promise<FoundEntry[]> => {
    const span = spanOf(said, now);
    const all = await Promise.all(
      calendars.map(async (calendar) =>
        (await client.entries(calendar.id, span, signal)).map((entry) => ({ calendar, entry })),
      ),
    );
    const fitting = all
      .flat()
      .filter((each) => isAt(said, each.entry) && (isNext || isNamed(said.title || said.noun, each, isExact)))
      .toSorted((one, other) => Date.parse(one.entry.start) - Date.parse(other.entry.start));
    return isNext ? fitting.filter(({ entry }) => Date.parse(entry.start) >= now).slice(0, 1) : fitting;
  };
}

/** Without a.m. or p.m., both match. */
function isTimeOf({ hour, minute, half }: SaidTime, at: LocalTime): boolean {
  const said = half === null ? hour % 12 : (hour % 12) + (half === 'pm' ? 12 : 0);
  return at.minute === minute && (half === null ? at.hour % 12 : at.hour) === said;
}
