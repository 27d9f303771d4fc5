import type { Day } from '../language/calendar/day.ts';
import { createClock } from '../language/calendar/time-zones.ts';
import {
  atTimeOfDay,
  endingOn,
  lastDayOf,
  nextTime,
  type Repetition,
  repetitionFrom,
  wallTimeOf,
} from './repetition.ts';
import type { Timer } from './timer.ts';
import type { NewTime } from './timer-records.ts';

/** Changes to an alarm or a reminder by hand. Missing fields stay. */
export interface TimerEdit {
  /** A moment, as Unix time in ms. The timer then rings only once. */
  dueAt?: number;
  /** "07:30" in the household's time zone. */
  time?: string;
  /** RFC 5545 days of the week: MO, TU. */
  days?: readonly string[];
  /** "2026-12-24". Null: it never ends. */
  until?: string | null;
  label?: string | null;
  room?: string | null;
}

interface Household {
  now: number;
  timeZone: string;
}

type Rings = Required<Pick<NewTime, 'dueAt' | 'repeats'>>;

const clock = createClock();

type Time = Pick<TimerEdit, 'days' | 'until'> & { time: string };

/** The next such time of day, and its repetition if it has days. Null: it never rings. */
export function alarmAt({ time, days, until }: Time, household: Household): Rings | null {
  return weeklyRings({ time, days, lastDay: until == null ? null : dayOf(until) }, household);
}

interface Weekly extends Pick<Time, 'time'> {
  days: readonly string[] | undefined;
  lastDay: Day | null;
}

function weeklyRings({ time, days, lastDay }: Weekly, { now, timeZone }: Household): Rings | null {
  const rule = days === undefined ? 'FREQ=DAILY' : `FREQ=WEEKLY;BYDAY=${days.join(',')}`;
  const endless = repetitionFrom(rule, { timeZone, after: now, ...timeOf(time) });
  const rings = ringsOf(lastDay === null ? endless : endingOn(endless, lastDay), now);
  return days === undefined ? rings && { ...rings, repeats: null } : rings;
}

/** The changed fields of a timer. Null: it would never ring again. */
export function editOf(timer: Timer, edit: TimerEdit, household: Household): NewTime | null {
  const { label, room } = edit;
  const names = { ...(label !== undefined && { label }), ...(room !== undefined && { room }) };
  const { dueAt, time, days, until } = edit;
  if (dueAt !== undefined) return { ...names, dueAt, repeats: null, by: 'clock' };
  if (time === undefined && days === undefined && until === undefined) return names;
  const rings = movedRings(timer, edit, household);
  return rings && { ...names, ...rings, by: 'clock' };
}

function movedRings({ repeats, dueAt }: Timer, edit: TimerEdit, household: Household): Rings | null {
  const wall = repeats === undefined ? clock(dueAt, household.timeZone) : wallTimeOf(repeats);
  const { time = wordsOf(wall), days, until } = edit;
  if (repeats === undefined || days !== undefined) {
    if (until !== undefined)
      return weeklyRings({ time, days, lastDay: until === null ? null : dayOf(until) }, household);
    return weeklyRings({ time, days, lastDay: repeats ? lastDayOf(repeats.rule) : null }, household);
  }
  // The rule itself stays, such as "every second Monday".
  const moved = atTimeOfDay(repeats, { ...wall, ...timeOf(time) });
  return ringsOf(until === undefined ? moved : withLastDay(moved, until), household.now);
}

function withLastDay({ rule, ...repetition }: Repetition, until: string | null): Repetition {
  const endless = { ...repetition, rule: rule.replace(/;UNTIL=[^;]*/, '') };
  return until === null ? endless : endingOn(endless, dayOf(until));
}

function ringsOf(repeats: Repetition, now: number): Rings | null {
  const dueAt = nextTime(repeats, now);
  return dueAt === null ? null : { dueAt, repeats };
}

function timeOf(time: string): { hour: number; minute: number } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { hour, minute };
}

function wordsOf({ hour, minute }: { hour: number; minute: number }): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

function dayOf(date: string): Day {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month, day };
}
