import rrule from 'rrule';
import { z } from 'zod';
import { type Day, numberOf } from '../language/calendar/day.ts';
import { instantOf } from '../language/calendar/instant.ts';
import { createClock, type LocalTime } from '../language/calendar/time-zones.ts';

const dayMs = 24 * 3_600_000;
/** A rule with more consecutive exceptions than this never fires again. */
const maxSkipped = 400;

/**
 * How an alarm or reminder repeats, in the household's local time: seven o'clock stays seven when the clocks
 * change.
 */
export const repetitionSchema = z.object({
  /** A recurrence rule of RFC 5545: "FREQ=WEEKLY;BYDAY=MO,WE". */
  rule: z.string(),
  timeZone: z.string(),
  /** The first local time, encoded as if it were UTC, as Unix time in ms. */
  from: z.number(),
  /** Days on which it does not ring, in days since 1970-01-01. */
  except: z.array(z.number()),
});

export type Repetition = z.infer<typeof repetitionSchema>;

const clock = createClock();

/** Encodes a local time as if it were UTC, because rules have no time zones. */
function wallOf({ hour, minute, ...day }: LocalTime): number {
  return numberOf(day) * dayMs + (hour * 60 + minute) * 60_000;
}

interface RepetitionStart {
  timeZone: string;
  after: number;
  hour: number;
  minute: number;
  /** The first possible day; by default that of `after`. */
  day?: Day;
  /** Counts the interval from that day: "every three months". Else it starts on the rule's first day. */
  isCounted?: boolean;
}

/** Builds a repetition that starts at the first matching local time after a moment. */
export function repetitionFrom(
  rule: string,
  { timeZone, after, hour, minute, day = clock(after, timeZone), isCounted = false }: RepetitionStart,
): Repetition {
  const from = wallOf({ ...day, hour, minute });
  const steps = isCounted ? rule : rule.replace(/;INTERVAL=\d+/, '');
  const once = { rule: steps, timeZone, from, except: [] };
  const first = nextTime(once, after);
  // Uses the first day with the requested time of day, because the clocks may go forward that night.
  return { ...once, rule, from: first === null ? from : wallOf({ ...clock(first, timeZone), hour, minute }) };
}

/** The repetition with its last day. */
export function endingOn(repetition: Repetition, { year, month, day }: Day): Repetition {
  const date = [String(year), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('');
  return { ...repetition, rule: `${repetition.rule};UNTIL=${date}T235959Z` };
}

/** The last day of a rule. Null: it never ends. */
export function lastDayOf(rule: string): Day | null {
  const [, year, month, day] = /;UNTIL=(\d{4})(\d\d)(\d\d)T/.exec(rule) ?? [];
  return year === undefined ? null : { year: Number(year), month: Number(month), day: Number(day) };
}

/** The next time after a moment, as Unix time in ms. Null: never again. */
export function nextTime(repetition: Repetition, after: number): number | null {
  const { timeZone, except } = repetition;
  const rule = ruleOf(repetition);
  // Starts a day earlier: where the clocks went forward, a skipped local time falls later than it says.
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

/** Whether it rings on a day, given in days since 1970-01-01. */
export function ringsOn(repetition: Repetition, day: number): boolean {
  if (repetition.except.includes(day)) return false;
  const [start, end] = [day * dayMs, (day + 1) * dayMs - 1].map((at) => new Date(at));
  return start !== undefined && end !== undefined && ruleOf(repetition).between(start, end, true).length > 0;
}

/** Adds a day to the exceptions, given in days since 1970-01-01. */
export function without(repetition: Repetition, day: number): Repetition {
  return { ...repetition, except: [...repetition.except, day] };
}

/** Moves it to another time of day. */
export function atTimeOfDay(repetition: Repetition, { hour, minute }: LocalTime): Repetition {
  const day = Math.floor(repetition.from / dayMs) * dayMs;
  return { ...repetition, from: day + (hour * 60 + minute) * 60_000 };
}

/** The local time of day. */
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
