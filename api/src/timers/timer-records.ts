import { parseJson } from '../json.ts';
import { machineClock } from '../redis/household-clock.ts';
import { nextTime } from './repetition.ts';
import { type NewTimer, type Timer, timerSchema } from './timer.ts';
import type { TimerAction } from './timer-action.ts';
import { countsFrom, nowOf } from './timer-time.ts';

export type NewTime = Partial<Pick<NewTimer, 'dueAt' | 'durationMs' | 'label' | 'room' | 'by'>> &
  /** With a remaining time, it is paused. */
  Pick<Timer, 'leftMs'> & {
    /** Null: it no longer repeats. */
    repeats?: Timer['repeats'] | null;
  };

/**
 * Builds the record of a new timer. The field order must match the schema, because undo compares records as
 * text.
 */
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

/** Changes the time or name of a timer. With a new time it runs again, even if it rings or is paused. */
export function changedTimer(
  { leftMs: left, ...before }: Timer,
  { by, leftMs, repeats, ...to }: NewTime,
  clock = machineClock,
): Timer {
  const timer = repeats === undefined ? before : { ...onceOf(before), ...(repeats && { repeats }) };
  const revision = timer.revision + 1;
  if (leftMs !== undefined) return { ...timer, ...to, state: 'paused', leftMs, revision };
  if (to.dueAt === undefined)
    return { ...timer, ...to, ...(left !== undefined && { leftMs: left }), revision };
  const counts = countsFrom(by ?? timer.counts?.by ?? 'clock', clock);
  return { ...timer, ...to, state: 'running', ringingAt: null, heardAt: null, counts, revision };
}

/** The next occurrence of a repeating timer, once one is due. Null: there is none. */
export function nextOf(timer: Timer, clock = machineClock): Timer | null {
  const { repeats, id } = timer;
  if (repeats === undefined) return null;
  // Skips missed occurrences: one of them rings, and the next lies in the future.
  const dueAt = nextTime(repeats, Math.max(clock.now(), timer.dueAt));
  if (dueAt === null) return null;
  const counts = countsFrom('clock', clock);
  const fresh = { state: 'running', revision: 1, ringingAt: null, heardAt: null, counts } as const;
  return { ...timer, ...fresh, id: `${id.split('.')[0]}.${dueAt}`, dueAt };
}

/** A single occurrence, without the repetition. */
export function onceOf({ repeats: _, ...timer }: Timer): Timer {
  return timer;
}

/** How to undo the change of one timer. */
interface Undoing {
  id: string;
  /** The record that it must still have. */
  from: string;
  becomes: Timer | null;
}

/**
 * Plans the undo of an action: removes new timers, and restores changed or cancelled ones unless their time
 * has passed. A repeating one continues at its next time, a paused one with its remaining time.
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
    const dueAt = nextDueOf(before, now + nowOf(before, clock) - clock.now());
    return dueAt === null ? [] : [{ id, from: record, becomes: { ...before, dueAt } }];
  });
}

/** When a restored timer rings, with times on its clock. Null: never again. */
function nextDueOf({ dueAt, repeats }: Timer, now: number): number | null {
  if (dueAt > now) return dueAt;
  return repeats === undefined ? null : nextTime(repeats, now);
}

/** Arguments for the undo script. */
export function argsOf({ id, from, becomes }: Undoing): string[] {
  return [id, from, becomes ? JSON.stringify(becomes) : ''];
}

/** Parses a record. Returns an empty list if it is unreadable, so that it cannot block other timers. */
export function readTimer(record: string): Timer[] {
  const { data } = timerSchema.safeParse(parseJson(record));
  return data === undefined ? [] : [data];
}
