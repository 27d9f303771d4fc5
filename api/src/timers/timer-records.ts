import { parseJson } from '../json.ts';
import { machineClock } from '../redis/household-clock.ts';
import { type NewTimer, type Timer, timerSchema } from './timer.ts';
import type { TimerAction } from './timer-action.ts';
import { countsFrom, nowOf } from './timer-time.ts';

export type NewTime = Partial<Pick<NewTimer, 'dueAt' | 'durationMs' | 'label' | 'by'>>;

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

/** A timer with another time or name. With a new time it runs again, even if it rings. */
export function changedTimer(timer: Timer, { by, ...to }: NewTime, clock = machineClock): Timer {
  const counts = countsFrom(by ?? timer.counts?.by ?? 'clock', clock);
  const again =
    to.dueAt === undefined ? {} : ({ state: 'running', ringingAt: null, heardAt: null, counts } as const);
  return { ...timer, ...to, ...again, revision: timer.revision + 1 };
}

/** One timer's part in taking an action back. */
export interface Undoing {
  id: string;
  /** Its record, which must still be this. */
  from: string;
  becomes: Timer | null;
}

/** How to take an action back, at a time of the clock: what was set goes, what was changed or taken away is as it was, unless its time is over. */
export function undoing(
  { timers }: Pick<TimerAction, 'timers'>,
  now: number,
  clock = machineClock,
): Undoing[] {
  return timers.flatMap(({ id, before, after }): Undoing[] => {
    if (before === null) return [{ id, from: '*', becomes: null }];
    if (before.dueAt <= now + nowOf(before, clock) - clock.now()) return [];
    return [{ id, from: after ? JSON.stringify(after) : '', becomes: before }];
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
