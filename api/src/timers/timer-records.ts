import { parseJson } from '../json.ts';
import { machineClock } from '../redis/household-clock.ts';
import { nextTime } from './repetition.ts';
import { type NewTimer, type Timer, timerSchema } from './timer.ts';
import type { TimerAction } from './timer-action.ts';
import { countsFrom, nowOf } from './timer-time.ts';

export type NewTime = Partial<Pick<NewTimer, 'dueAt' | 'durationMs' | 'label' | 'by' | 'repeats'>> &
  /** It is paused, with so much left. */
  Pick<Timer, 'leftMs'>;

/** A timer as it is set, in the order of its schema: undoing compares records word for word. */
export function firstRecord(id: string, { by, ...timer }: NewTimer, clock = machineClock): Timer {
  return {
    id,
    ...timer,
    counts: countsFrom(by, clock),
    state: 'running',
    revision: 1,
    ringingAt: null,
    heardAt: null,
  };
}

/** A timer with another time or name. With a new time it runs again, even if it rings or is paused. */
export function changedTimer(
  { leftMs: left, ...timer }: Timer,
  { by, leftMs, ...to }: NewTime,
  clock = machineClock,
): Timer {
  const revision = timer.revision + 1;
  if (leftMs !== undefined) return { ...timer, ...to, state: 'paused', leftMs, revision };
  if (to.dueAt === undefined)
    return { ...timer, ...to, ...(left !== undefined && { leftMs: left }), revision };
  const counts = countsFrom(by ?? timer.counts?.by ?? 'clock', clock);
  return { ...timer, ...to, state: 'running', ringingAt: null, heardAt: null, counts, revision };
}

/** The next time of one that repeats, when one time of it has come; null: there is none. */
export function nextOf(timer: Timer, clock = machineClock): Timer | null {
  const { repeats, id } = timer;
  if (repeats === undefined) return null;
  // What was missed meanwhile is not made up for: one of them rings, the next is to come.
  const dueAt = nextTime(repeats, Math.max(clock.now(), timer.dueAt));
  if (dueAt === null) return null;
  const counts = countsFrom('clock', clock);
  const fresh = { state: 'running', revision: 1, ringingAt: null, heardAt: null, counts } as const;
  return { ...timer, ...fresh, id: `${id.split('.')[0]}.${dueAt}`, dueAt };
}

/** One time of it, by itself. */
export function onceOf({ repeats: _, ...timer }: Timer): Timer {
  return timer;
}

/** One timer's part in taking an action back. */
export interface Undoing {
  id: string;
  /** Its record, which must still be this. */
  from: string;
  becomes: Timer | null;
}

/**
 * How to take an action back, at a time of the clock: what was set goes, what was changed or taken away is as it was, unless its time is over. What
 * was paused goes on with what was left of it.
 */
export function undoing(
  { timers }: Pick<TimerAction, 'timers'>,
  now: number,
  clock = machineClock,
): Undoing[] {
  return timers.flatMap(({ id, before, after }): Undoing[] => {
    if (before === null) return [{ id, from: '*', becomes: null }];
    const record = after ? JSON.stringify(after) : '';
    if (before.state === 'paused') return [{ id, from: record, becomes: before }];
    if (after?.leftMs !== undefined) {
      const on = { dueAt: now + after.leftMs, by: 'length' } as const;
      return [{ id, from: record, becomes: changedTimer(after, on, clock) }];
    }
    if (before.dueAt <= now + nowOf(before, clock) - clock.now()) return [];
    return [{ id, from: record, becomes: before }];
  });
}

/** As the script takes it. */
export function argsOf({ id, from, becomes }: Undoing): string[] {
  return [id, from, becomes ? JSON.stringify(becomes) : ''];
}

/** A record; none when it cannot be read, so that one that is broken does not keep the others from ringing. */
export function readTimer(record: string): Timer[] {
  const { data } = timerSchema.safeParse(parseJson(record));
  return data === undefined ? [] : [data];
}
