import { type Day, dayFrom, numberOf } from '../../language/calendar/day.ts';
import { instantOf } from '../../language/calendar/instant.ts';
import { type MomentFault, resolveMoment } from '../../language/calendar/moment.ts';
import type { DayPart, SaidMoment } from '../../language/calendar/moment-reader.ts';
import type { SaidTime } from '../../language/calendar/time-reader.ts';
import type { createClock } from '../../language/calendar/time-zones.ts';
import type { SaidTimes } from './calendar-request.ts';
import type { CalendarWords } from './calendar-shape.ts';

/** An entry's times as Home Assistant writes them: two times, or two dates (the second exclusive). */
interface EntryTimes {
  start: string;
  end: string;
}

/** Error for a moment that gives no time. */
const faultOf: Readonly<Record<MomentFault, TimesFault>> = {
  which_day: 'when',
  which_time: 'when',
  in_minutes: 'when',
  in_hours: 'when',
  no_time: 'time',
  past: 'past',
  no_day: 'no_day',
};

type TimesFault = 'when' | 'time' | 'past' | 'no_day';

const hourMs = 3_600_000;
const usualMs = hourMs;
/** From this hour on, a bare number means the morning: "at nine". Below it, the afternoon. */
const firstMorningHour = 8;
const maxHours = 12;

interface TimesOptions {
  words: CalendarWords;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

export const isOfDays = ({ start }: { start: string }): boolean => !start.includes('T');

/** A day in Home Assistant's format. */
export function dateText(number: number): string {
  const { year, month, day } = dayFrom(number);
  return [String(year).padStart(4, '0'), ...[month, day].map((n) => String(n).padStart(2, '0'))].join('-');
}

/** Computes an entry's start and end from the spoken times. */
export function createCalendarTimes({ words, clock, timeZone }: TimesOptions) {
  const spanOf = (start: number, end: number): EntryTimes => ({
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
  });

  const isOf = (title: string, things: readonly string[]) =>
    title
      .toLowerCase()
      .split(/[^\p{L}']+/u)
      .some((word) => things.includes(word));

  /** The usual half of the day for a bare hour. */
  const usualPart = (hour: number, title: string): DayPart => {
    if (isOf(title, words.morning_things)) return 'morning';
    if (isOf(title, words.evening_things) && hour !== maxHours) return 'evening';
    return hour >= firstMorningHour && hour < maxHours ? 'morning' : 'afternoon';
  };

  /** The moment with its half of the day filled in. */
  const certain = (moment: SaidMoment, title: string): SaidMoment =>
    moment.time && isBare(moment) ? { ...moment, part: usualPart(moment.time.hour, title) } : moment;

  const at = (moment: SaidMoment, now: number) =>
    resolveMoment(moment, { clock, timeZone, purpose: 'alarm', now });

  const start = (moment: SaidMoment, title: string, now: number) => {
    const found = at(certain(moment, title), now);
    // "Today at nine", spoken at three in the afternoon.
    return found === 'past' && isBare(moment) ? at(moment, now) : found;
  };

  /** The day of a moment without a time. */
  const dayOf = ({ date, after, isToday }: SaidMoment, now: number): Day | null => {
    const today = clock(now, timeZone);
    if (date) return date(today);
    if (after?.days != null) return dayFrom(numberOf(today) + after.days);
    return isToday ? today : null;
  };

  const days = (from: SaidMoment, to: SaidMoment | null, now: number): EntryTimes | TimesFault => {
    const first = dayOf(from, now);
    const last = to ? dayOf(to, now) : first;
    if (!first || !last) return from.date ? 'no_day' : 'when';
    const [begin, end] = [numberOf(first), numberOf(last)];
    if (end < begin || begin < numberOf(clock(now, timeZone))) return 'past';
    return { start: dateText(begin), end: dateText(end + 1) };
  };

  /** The first matching time after the start. */
  const endOf = (begin: number, { time, part }: SaidMoment, day: Day): number | null => {
    if (!time) return null;
    const isExact = time.half !== null || time.hour === 0 || time.hour > maxHours || part !== null;
    const hours = isExact
      ? [exactHour(time, part)]
      : [time.hour % maxHours, (time.hour % maxHours) + maxHours];
    const all = [0, 1].flatMap((ahead) =>
      hours.map((hour) =>
        instantOf({ ...dayFrom(numberOf(day) + ahead), hour, minute: time.minute }, { clock, timeZone }),
      ),
    );
    return all.filter((end) => end > begin).toSorted((one, other) => one - other)[0] ?? null;
  };

  /** "from three to four pm": the start is also pm, if it is then before the end. */
  const halved = (from: SaidMoment, to: SaidMoment): SaidMoment => {
    const half = to.time?.half;
    if (!from.time || !isBare(from) || half == null || !to.time) return from;
    const isBefore = from.time.hour % maxHours < to.time.hour % maxHours;
    return { ...from, time: { ...from.time, half: isBefore ? half : half === 'pm' ? 'am' : 'pm' } };
  };

  const span = (said: SaidTimes, from: SaidMoment, title: string, now: number): EntryTimes | TimesFault => {
    const { to, lastsMs } = said;
    const begin = start(to ? halved(from, to) : from, title, now);
    if (typeof begin !== 'number') return faultOf[begin];
    const toDay = to?.date ? dayOf(to, now) : null;
    const end = to ? endOf(begin, to, toDay ?? clock(begin, timeZone)) : begin + (lastsMs ?? usualMs);
    return end !== null && end > begin ? spanOf(begin, end) : 'time';
  };

  /** Whether it lasts whole days: spoken, implied by its kind, or given as a range of days. */
  const isForDays = ({ from, to, isWholeDay }: SaidTimes, title: string) =>
    !from?.time && (isWholeDay || (to !== null && !to.time) || isOf(title, words.day_things));

  return (said: SaidTimes, title: string, now: number): EntryTimes | TimesFault => {
    const { from, to, isWholeDay } = said;
    if (!from) return 'when';
    if (isForDays(said, title)) return days(from, to, now);
    if (isWholeDay) return 'when';
    const lacksTime = !from.time && from.after?.days !== undefined ? from.after.days !== null : !from.time;
    if (lacksTime) return dayOf(from, now) ? 'time' : 'when';
    return span(said, from, title, now);
  };
}

/** Whether neither morning nor afternoon was spoken. */
function isBare({ time, part }: SaidMoment): boolean {
  return time !== null && part === null && time.half === null && time.hour >= 1 && time.hour <= maxHours;
}

function exactHour({ hour, half }: SaidTime, part: DayPart | null): number {
  if (half === null && part === null) return hour;
  const isLate = half === 'pm' || (half === null && part !== 'morning');
  return (hour % maxHours) + (isLate ? maxHours : 0);
}
