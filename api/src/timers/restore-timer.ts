import type { Redis } from 'ioredis';
import { z } from 'zod';
import { actionSchema, createActionStore, type StoredAction } from '../actions/action-store.ts';
import type { Timer } from './timer.ts';
import { type TimerAction, timerActionSchema } from './timer-action.ts';
import type { TimerStore } from './timer-store.ts';

/** `unknown`: no such cancellation is stored. `undone`: it was reverted already. `over`: it is too late. */
export type RestoreFault = 'unknown' | 'undone' | 'over';

interface Restoring {
  /** The request, which is recorded as undoing the cancellation. */
  requestId: string;
  conversation: string;
  /** Unix time in ms. */
  now: number;
  /** Whether the caller may see this timer. */
  isAllowed: (timer: Timer) => boolean;
}

interface RestoreTimerOptions {
  redis: Redis;
  timers: Pick<TimerStore, 'undo' | 'read'>;
}

export type RestoreTimer = ReturnType<typeof createRestoreTimer>;

/** Undoes the cancellation of a timer, and of the timers that were cancelled with it. */
export function createRestoreTimer({ redis, timers }: RestoreTimerOptions) {
  const actions = createActionStore({ redis, schema: z.union([timerActionSchema, actionSchema]) });

  const cancellationOf = async (id: string, { requestId, conversation, now, isAllowed }: Restoring) => {
    const latest = await actions.latest({ id: requestId, conversation, createdAt: now });
    const found = latest.filter(isCancellation).find(({ action }) => timerIn(action, id) !== null);
    const timer = found && timerIn(found.action, id);
    return timer && isAllowed(timer) ? found : undefined;
  };

  return async (id: string, restoring: Restoring): Promise<Timer | RestoreFault> => {
    // A concurrent action moves the stored one, which fails the undo. Then read it again.
    for (let triedPlace = -1; ; ) {
      const found = await cancellationOf(id, restoring);
      if (found === undefined) return 'unknown';
      if (found.action.undoneAt !== undefined) return 'undone';
      const undone = await timers.undo(found, restoring);
      if (undone.includes(id)) return (await timers.read(id)) ?? 'over';
      if (found.place === triedPlace) return 'over';
      triedPlace = found.place;
    }
  };
}

function isCancellation(found: StoredAction): found is StoredAction<TimerAction> {
  return 'kind' in found.action && found.action.kind === 'timer.cancel';
}

/** The timer as it was. Null: this action did not cancel it. */
function timerIn({ timers }: TimerAction, id: string): Timer | null {
  return timers.find((each) => each.id === id)?.before ?? null;
}
