import { AppError } from '../errors.ts';
import { remainingMs, type Timer } from '../timers/timer.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import type { Handlers } from './contract-routes.ts';

interface TimerRoutes {
  timers: Pick<TimerStore, 'all' | 'remove'>;
}

/** The household's timers, seen and cancelled. They are set by saying so, or by asking `/ask`. */
export function adminTimerRoutes({ timers }: TimerRoutes): Pick<Handlers, 'listTimers' | 'cancelTimer'> {
  return {
    async listTimers() {
      return { timers: (await timers.all()).map(shown) };
    },

    async cancelTimer({ path: { id } }) {
      const timer = await timers.remove(id);
      if (timer) return { timer: shown(timer) };
      throw new AppError('not_found', 'There is no such timer. It may be over or cancelled.', {
        param: 'id',
      });
    },
  };
}

function shown(timer: Timer) {
  const { id, kind, label, room, client, setAt, dueAt, durationMs, state } = timer;
  return {
    id,
    kind,
    label,
    room,
    client,
    set_at: new Date(setAt).toISOString(),
    due_at: new Date(dueAt).toISOString(),
    duration_seconds: durationMs === null ? null : durationMs / 1_000,
    remaining_seconds: remainingMs(timer, Date.now()) / 1_000,
    state,
  };
}
