import { type Day, dayFrom, numberOf } from './day.ts';
import { instantOf } from './instant.ts';
import type { DayPart, SaidMoment } from './moment-reader.ts';
import type { SaidTime } from './time-reader.ts';
import type { createClock, LocalTime } from './time-zones.ts';

/** The purpose of a moment: people wake up in the morning, and phone during the day. */
export type MomentPurpose = 'wake' | 'alarm' | 'reminder';

export type MomentFault =
  | 'no_time'
  | 'which_time'
  | 'past'
  | 'no_day'
  | 'which_day'
  | 'in_minutes'
  | 'in_hours';

interface MomentOptions {
  clock: ReturnType<typeof createClock>;
  timeZone: string;
  purpose: MomentPurpose;
  /** Unix time in ms. */
  now: number;
  /** The previous time in Unix ms, when a timer moves. */
  near?: number | undefined;
}

/** The default hour for a part of the day, or for a day alone. */
const usualHours: Readonly<Record<DayPart, number>> = { morning: 9, afternoon: 15, evening: 19, night: 20 };
const usualHour = 9;

/** Maximum length of a nap: someone who asks at three to wake at five means the afternoon. */
const longestNapMs = 3 * 3_600_000;

/** A move within this distance stays in its half of the day. */
const sameHalfMs = 2 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** The Unix time of a moment in ms, or why it has none. */
export function resolveMoment(said: SaidMoment, options: MomentOptions): number | MomentFault {
  const { clock, timeZone, now } = options;
  if (said.after && (said.after.days === null || said.after.ms <= 0)) return now + said.after.ms;
  const open = openPart(said);
  if (open) return open;
  const here = clock(now, timeZone);
  const day = dayOf(said, here);
  if (day === null) return 'no_day';
  const { near } = options;
  if (near !== undefined && hasFixedDay(said)) return movedTo(day, said, { ...options, near });
  // "In two days" keeps the time of day, even across a clock change.
  if ((said.after || said.keepsTime) && !said.time && !said.part)
    return instantOf({ ...day, hour: here.hour, minute: here.minute }, options) + (now % 60_000);
  if (lacksTime(said, options)) return 'no_time';
  return hasFixedDay(said) ? onDay(day, said, options) : next(day, said, options);
}

/** The question that a moment leaves open. */
function openPart(said: SaidMoment): MomentFault | null {
  if (said.soon) return said.soon === 'minutes' ? 'in_minutes' : 'in_hours';
  if (said.isVague || (said.keepsTime && !hasFixedDay(said))) return 'which_day';
  const isOpen = isOpenTime(said) || (said.isOpenPart && said.time === null);
  return isOpen ? 'which_time' : null;
}

/** The day that a moment names. Null: it names none. */
export function namedDay(
  said: SaidMoment,
  { clock, timeZone, now }: Omit<MomentOptions, 'purpose'>,
): Day | null {
  return hasFixedDay(said) ? dayOf(said, clock(now, timeZone)) : null;
}

/** Whether the time is missing: "tomorrow" alone is no time to wake up. */
function lacksTime({ time, part, isToday }: SaidMoment, { purpose }: MomentOptions): boolean {
  return time === null && (purpose !== 'reminder' || (isToday && part === null));
}

function hasFixedDay({ after, date, isToday }: SaidMoment): boolean {
  return after !== null || date !== null || isToday;
}

/** The possible future moments of a day, earliest first. */
function toCome(day: Day, said: SaidMoment, options: MomentOptions): number[] {
  const { all } = hoursOf(said, options.purpose);
  return all
    .map((hour) => instantOf({ ...day, hour, minute: said.time?.minute ?? 0 }, options))
    .filter((at) => at > options.now);
}

function likely(day: Day, said: SaidMoment, options: MomentOptions): number {
  const { likely: hour } = hoursOf(said, options.purpose);
  return instantOf({ ...day, hour, minute: said.time?.minute ?? 0 }, options);
}

function onDay(day: Day, said: SaidMoment, options: MomentOptions): number | MomentFault {
  const [first] = toCome(day, said, options);
  if (first === undefined) return isPartLeft(said, options) ? 'which_time' : 'past';
  const usual = likely(day, said, options);
  return said.isToday || usual <= options.now ? first : usual;
}

/** A timer that moves to another day keeps its time, or at least its half of the day. */
function movedTo(
  day: Day,
  said: SaidMoment,
  options: MomentOptions & { near: number },
): number | MomentFault {
  const { clock, timeZone, near, now } = options;
  const { time, part } = said;
  if (!time && part) return 'no_time';
  const own = clock(near, timeZone);
  const at = (hour: number, minute: number) => instantOf({ ...day, hour, minute }, options);
  const unmoved = at(own.hour, own.minute);
  const distance = (each: number) => Math.abs(each - unmoved);
  const { all } = time ? hoursOf(said, options.purpose) : { all: [] };
  const moments = time ? all.map((hour) => at(hour, time.minute)) : [unmoved];
  const [closest = 0, ...others] = moments.toSorted((one, other) => distance(one) - distance(other));
  // "My 7 am alarm to 7:30 today" in the afternoon does not mean an evening alarm.
  if (closest <= now && distance(closest) <= sameHalfMs) return 'past';
  return [closest, ...others].find((each) => each > now) ?? 'past';
}

/** "This afternoon", after the hour that it usually means and before its end. */
function isPartLeft({ isToday, time, part }: SaidMoment, { clock, timeZone, now }: MomentOptions): boolean {
  return isToday && time === null && part !== null && clock(now, timeZone).hour < partHours[part][1];
}

/**
 * The next moment. People want to be woken in the morning, unless they take a nap.
 * They want reminders by day, unless the night is near.
 */
function next(today: Day, said: SaidMoment, options: MomentOptions): number | MomentFault {
  const { purpose, now, near } = options;
  const days = [today, dayFrom(numberOf(today) + 1)];
  if (near !== undefined) return nearest(near, said, options);
  const [first] = days.flatMap((day) => toCome(day, said, options));
  if (first === undefined) return 'past';
  const isUsual = purpose === 'reminder' ? !isAtNight(first, options) : purpose !== 'wake';
  if (isUsual || first - now <= longestNapMs) return first;
  return days.map((day) => likely(day, said, options)).find((at) => at > now) ?? first;
}

/** "Pick up the children at four", said at five in the afternoon, is for the next day. */
function isAtNight(at: number, { clock, timeZone }: MomentOptions): boolean {
  return clock(at, timeZone).hour < smallHours.to;
}

/**
 * A moved timer stays on its day, or as close to it as possible. In the evening, "my 6 pm alarm
 * to 6 am" is for tomorrow.
 */
function nearest(near: number, said: SaidMoment, options: MomentOptions): number | MomentFault {
  const own = options.clock(near, options.timeZone);
  const distance = (at: number) => Math.abs(at - near);
  const [closest] = toCome(own, said, options).toSorted((one, other) => distance(one) - distance(other));
  if (closest !== undefined) return closest;
  const [later] = toCome(dayFrom(numberOf(own) + 1), said, options);
  return later !== undefined && later - near < dayMs - sameHalfMs ? later : 'past';
}

function dayOf({ date, after }: SaidMoment, here: LocalTime): Day | null {
  const { year, month, day } = here;
  if (after) return dayFrom(numberOf(here) + (after.days ?? 0));
  return date ? date({ year, month, day }) : { year, month, day };
}

/** The first and the last hour of a part of the day, as people say it. The night continues after midnight. */
const partHours: Readonly<Record<DayPart, readonly [number, number]>> = {
  morning: [0, 11],
  afternoon: [12, 19],
  evening: [15, 24],
  night: [17, 30],
};

const allHours = Array.from({ length: 24 }, (_, hour) => hour);

type SaidHour = Pick<SaidMoment, 'time' | 'part'>;

/** Hours after midnight: `from` ends the late night, and `to` begins the morning. */
const smallHours = { from: 3, to: 5 };

/** "12 pm TONIGHT": twelve at night. */
function isMidnightSaid({ time, part }: SaidHour): boolean {
  return time?.hour === 12 && time.half === 'pm' && part === 'night';
}

/** "At breakfast", and "8 pm in the morning", where one of them is a mistake. */
function isOpenTime(said: SaidMoment): boolean {
  const { isOwnTime, time, part, isBeforeSleep } = said;
  if (!time) return isOwnTime === true;
  if (time.isAnyHour) return part !== null || hasFixedDay(said);
  const isSmall = time.hour >= smallHours.from && time.hour < smallHours.to;
  if (isBeforeSleep && isSmall && isOpenHour(time)) return true;
  if (!part || isOpenHour(time) || isMidnightSaid({ time, part })) return false;
  const [first, last] = partHours[part];
  const hour = exactHour(time);
  return ![hour, hour + 24].some((each) => first <= each && each <= last);
}

/** The possible hours of the day, and the most likely one. */
function hoursOf(said: SaidMoment, purpose: MomentPurpose): { all: number[]; likely: number } {
  const { time, part } = said;
  if (time?.isAnyHour) return { all: allHours, likely: usualHour };
  const only = (hour: number) => ({ all: [hour], likely: hour });
  if (!time) return only(part ? usualHours[part] : usualHour);
  if (isMidnightSaid({ time, part })) return only(24);
  const exact = isOpenHour(time) ? null : exactHour(time);
  // "Tonight at 4 a.m." is after midnight.
  if (exact !== null && exact < 6 && part === 'night' && hasFixedDay(said))
    return { all: [exact, exact + 24], likely: exact + 24 };
  if (exact !== null) return only(exact);
  const morning = time.hour % 12;
  if (part) return only(hourIn(part, morning));
  const earliest = purpose === 'reminder' ? 7 : 4;
  return { all: [morning, morning + 12], likely: morning >= earliest ? morning : morning + 12 };
}

/** Whether a.m. or p.m. is missing. */
export function isOpenHour({ hour, half }: SaidTime): boolean {
  return half === null && hour >= 1 && hour <= 12;
}

/** The hour, 0 to 24, of a time whose half of the day is known. */
export function exactHour({ hour, half }: SaidTime): number {
  if (half === null || hour > 12 || hour === 0) return hour;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** "seven in the evening". "At night" means late, or after midnight. */
function hourIn(part: DayPart, hour: number): number {
  if (part === 'morning') return hour;
  if (part !== 'night') return hour + 12;
  if (hour === 0) return 24;
  return hour < 5 ? hour + 24 : hour + 12;
}
