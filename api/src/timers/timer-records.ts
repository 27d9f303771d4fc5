import { parseJson } from '../json.ts';
import { type Timer, timerSchema } from './timer.ts';
import type { TimerAction } from './timer-action.ts';

/** What is to become of one timer when an action is taken back. */
export interface Undoing {
  id: string;
  /** What its record must be. */
  from: string;
  becomes: Timer | null;
}

/** How to take an action back: what was set goes, what was changed or taken away is as it was, unless its time is over. */
export function undoing({ timers }: Pick<TimerAction, 'timers'>, now: number): Undoing[] {
  return timers.flatMap(({ id, before, after }): Undoing[] => {
    if (before === null) return [{ id, from: '*', becomes: null }];
    if (before.dueAt <= now) return [];
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
