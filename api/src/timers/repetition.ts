import rrule from 'rrule';
import { z } from 'zod';
import { numberOf } from '../language/calendar/day.ts';
import { instantOf } from '../language/calendar/instant.ts';
import { createClock, type LocalTime } from '../language/calendar/time-zones.ts';

const dayMs = 24 * 3_600_000;
/** A rule with more exceptions in a row than this never comes again. */
const maxSkipped = 400;

/** How an alarm or a reminder repeats, in the household's time on the wall: at seven it stays at seven when the clocks change. */
export const repetitionSchema = z.object({
  /** A recurrence rule of RFC 5545: "FREQ=WEEKLY;BYDAY=MO,WE". */
  rule: z.string(),
  timeZone: z.string(),
  /** The first time on the wall, counted as if it were in Greenwich, as Unix time in ms. */
  from: z.number(),
  /** Days on which it does not ring, as days since the beginning of 1970. */
  except: z.array(z.number()),
});

export type Repetition = z.infer<typeof repetitionSchema>;

const clock = createClock();

/** The time on the wall as if it were in Greenwich: rules know no time zones. */
function wallOf({ hour, minute, ...day }: LocalTime): number {
  return numberOf(day) * dayMs + (hour * 60 + minute) * 60_000;
}

/** A repetition by a rule, whose first time is the first one after a moment at which a time of day on the wall fits the rule. */
export function repetitionFrom(
  rule: string,
  { timeZone, after, hour, minute }: { timeZone: string; after: number; hour: number; minute: number },
): Repetition {
  const from = wallOf({ ...clock(after, timeZone), hour, minute });
  const once = { rule: rule.replace(/;INTERVAL=\d+/, ''), timeZone, from, except: [] };
  const first = nextTime(once, after);
  // Its first day, but the time of day that was said: the clocks may be put forward in that night.
  return { ...once, rule, from: first === null ? from : wallOf({ ...clock(first, timeZone), hour, minute }) };
}

/** When it rings next after a moment, as Unix time in ms; null: never again. */
export function nextTime(repetition: Repetition, after: number): number | null {
  const { timeZone, except } = repetition;
  const rule = ruleOf(repetition);
  // A day earlier on the wall: where the clocks were put forward, a time on the wall comes later than it says.
  let wall = new Date(wallOf(clock(after, timeZone)) - dayMs);
  for (let tries = 0; tries < maxSkipped; tries += 1) {
    const next = rule.after(wall, false);
    if (next === null) return null;
    wall = next;
    const at = instantOf(wallTime(next), { clock, timeZone });
    if (at > after && !except.includes(Math.floor(next.getTime() / dayMs))) return at;
  }
  return null;
}

/** Whether it rings on a day, by the days since the beginning of 1970. */
export function ringsOn(repetition: Repetition, day: number): boolean {
  if (repetition.except.includes(day)) return false;
  const [start, end] = [day * dayMs, (day + 1) * dayMs - 1].map((at) => new Date(at));
  return start !== undefined && end !== undefined && ruleOf(repetition).between(start, end, true).length > 0;
}

/** The same without a day, by the days since the beginning of 1970. */
export function without(repetition: Repetition, day: number): Repetition {
  return { ...repetition, except: [...repetition.except, day] };
}

/** The same at another time of day. */
export function atTimeOfDay(repetition: Repetition, { hour, minute }: LocalTime): Repetition {
  const day = Math.floor(repetition.from / dayMs) * dayMs;
  return { ...repetition, from: day + (hour * 60 + minute) * 60_000 };
}

/** The time of day on the wall. */
export function wallTimeOf({ from }: Repetition): LocalTime {
  return wallTime(new Date(from));
}

function wallTime(wall: Date): LocalTime {
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

function ruleOf({ rule, from }: Repetition) {
  return new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart: new Date(from) });
}
