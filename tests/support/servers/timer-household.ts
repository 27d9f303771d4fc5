import { once } from 'node:events';
import { Redis } from 'ioredis';
import { openQueues } from '../../../api/src/jobs/queues.ts';
import { createRingJobs } from '../../../api/src/timers/ring-jobs.ts';
import type { NewTimer, Timer } from '../../../api/src/timers/timer.ts';
import { createTimerStore } from '../../../api/src/timers/timer-store.ts';

/** Timers with their jobs, set without a turn. */
export function openTimers(redisUrl: string) {
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined); // some tests take Redis away
  const connected = once(redis, 'ready');
  const queues = openQueues({ redis, onError: () => undefined });
  const store = createTimerStore({ redis, jobs: createRingJobs({ redis, queues }) });
  const never = async () => undefined;
  const withoutJobs = createTimerStore({ redis, jobs: { add: never, remove: never } });
  let turns = 0;

  return {
    redis,
    store,
    queue: queues.ring,
    /**
     * Sets a timer that is due after this time. `hasJob` is false if its process died before adding the job.
     */
    async set(
      inMs: number,
      { hasJob = true, ...more }: Partial<NewTimer> & { hasJob?: boolean } = {},
    ): Promise<Timer> {
      await connected;
      turns += 1;
      const setAt = Date.now();
      const change = {
        action: { turn: `set-${turns}`, at: setAt, kind: 'timer.set' } as const,
        conversation: null,
      };
      const times = { setAt, dueAt: setAt + inMs, durationMs: inMs };
      const given = {
        kind: 'timer',
        by: 'length',
        label: 'pasta',
        room: 'kitchen',
        client: null,
        ...times,
        ...more,
      } as const;
      const timer = await (hasJob ? store : withoutJobs).set(change, given);
      if (timer === 'full') throw new Error('there are too many timers');
      return timer;
    },
    close: () => redis.disconnect(),
  };
}
