import type { Redis } from 'ioredis';
import type { Queues } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { Timer } from './timer.ts';
import { nowOf } from './timer-time.ts';

interface RingJobsOptions {
  redis: Redis;
  queues: Pick<Queues, 'ring'>;
  clock?: HouseholdClock;
}

export type RingJobs = ReturnType<typeof createRingJobs>;

/**
 * Delayed jobs for timers. The due time is absolute, so restarts and waits do not shift it. Each worker uses
 * its own clock.
 */
export function createRingJobs({ redis, queues, clock = machineClock }: RingJobsOptions) {
  // Contains the due time, so that every change of a timer gets a new job.
  const idOf = ({ id, dueAt }: Timer) => `timer-${id}-${dueAt}`;
  return {
    /** Adds a job for the due time of a timer, unless it exists. Finished jobs are removed. */
    async add(timer: Timer): Promise<void> {
      const timestamp = Date.now();
      const delay = Math.max(0, Math.round(timer.dueAt - nowOf(timer, clock)));
      const job = { jobId: idOf(timer), timestamp, delay, removeOnComplete: true, removeOnFail: true };
      await onRedis(redis, () => queues.ring.add(timer.kind, { timerId: timer.id }, job));
    },
    async remove(timer: Timer): Promise<void> {
      await onRedis(redis, () => queues.ring.remove(idOf(timer)));
    },
  };
}

/** Ignores failures: the timer records are correct, and the sweep covers missing jobs. */
export async function arrange(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
}
