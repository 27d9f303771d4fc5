import { createActionStore } from '../../../api/src/actions/action-store.ts';
import type { NewTimer, Timer } from '../../../api/src/timers/timer.ts';
import { timerActionSchema } from '../../../api/src/timers/timer-action.ts';
import { createTimerStore } from '../../../api/src/timers/timer-store.ts';
import { question } from '../skills.ts';
import { minuteMs, now } from '../timers.ts';
import { connectTo, startRedis } from './own-redis.ts';

export type StoredTimers = Awaited<ReturnType<typeof startStoredTimers>>;

/** A timer store on a separate Redis. It records job changes in minutes from now: +10, -10. */
export async function startStoredTimers() {
  const server = await startRedis();
  const redis = await connectTo(server.url);
  const jobs: string[] = [];
  const store = createTimerStore({
    redis,
    jobs: {
      add: async ({ dueAt }) => void jobs.push(`+${(dueAt - now) / minuteMs}`),
      remove: async ({ dueAt }) => void jobs.push(`-${(dueAt - now) / minuteMs}`),
    },
  });
  return {
    redis,
    store,
    jobs,
    async forget(): Promise<void> {
      jobs.length = 0;
      await redis.flushall();
    },
    async set(more: Partial<NewTimer> = {}): Promise<Timer> {
      const timer = await store.set(by(), pasta(more));
      if (timer === 'full') throw new Error('there are too many timers');
      return timer;
    },
    /** Undoes the latest change that was not undone yet. */
    async undoLast(at = now): Promise<boolean> {
      const asking = question('undo that', { conversation: 'kitchen' }).turn;
      const latest = await createActionStore({ redis, schema: timerActionSchema }).latest(asking);
      const found = latest.find(({ action }) => action.undoneAt === undefined);
      if (found === undefined) return false;
      return (await store.undo(found, { conversation: 'kitchen', now: at })).length > 0;
    },
    async stop(): Promise<void> {
      redis.disconnect();
      await server.stop();
    },
  };
}

let turns = 0;

/** A turn of the kitchen's conversation. */
export function by(turn?: string) {
  turns += 1;
  const action = { turn: turn ?? `turn-${turns}`, at: now, kind: 'timer.change' } as const;
  return { action, conversation: 'kitchen' };
}

/** A pasta timer of ten minutes, as a request creates it. */
export function pasta(more: Partial<NewTimer> = {}): NewTimer {
  return {
    kind: 'timer',
    label: 'pasta',
    room: 'kitchen',
    client: 'kitchen',
    setAt: now,
    dueAt: now + 10 * minuteMs,
    durationMs: 10 * minuteMs,
    by: 'length',
    ...more,
  };
}
