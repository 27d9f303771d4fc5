import { AppError } from '../errors.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { remainingMs, type Timer } from '../timers/timer.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { isOwn } from './caller.ts';
import type { Handlers } from './contract-routes.ts';

interface TimerRoutes {
  timers: Pick<TimerStore, 'all' | 'remove'>;
  clock?: HouseholdClock;
}

/** The household's timers, seen and cancelled. They are set by saying so, or by asking `/ask`. */
export function adminTimerRoutes(options: TimerRoutes): Pick<Handlers, 'listTimers' | 'cancelTimer'> {
  const { timers, clock = machineClock } = options;
  const shown = (timer: Timer) => shownAt(timer, nowOf(timer, clock));
  return {
    async listTimers({ request: { caller } }) {
      const all = await timers.all();
      return { timers: all.filter(({ client }) => isOwn(caller, client)).map(shown) };
    },

    async cancelTimer({ path: { id }, request: { caller } }) {
      // To a token that may only talk, the timers of others are not there.
      const isTheirs =
        !isOwn(caller, null) &&
        !(await timers.all()).some((each) => each.id === id && isOwn(caller, each.client));
      const timer = isTheirs ? null : await timers.remove(id);
      if (timer) return { timer: shown(timer) };
      throw new AppError('not_found', 'There is no such timer. It may be over or cancelled.', {
        param: 'id',
      });
    },
  };
}

function shownAt(timer: Timer, now: number) {
  const { id, kind, label, room, client, setAt, dueAt, durationMs, state, repeats } = timer;
  return {
    id,
    kind,
    label,
    room,
    client,
    set_at: new Date(setAt).toISOString(),
    due_at: new Date(dueAt).toISOString(),
    duration_seconds: durationMs === null ? null : durationMs / 1_000,
    remaining_seconds: remainingMs(timer, now) / 1_000,
    state,
    repeats: repeats?.rule ?? null,
  };
}
