import type { Redis } from 'ioredis';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { Timer } from '../timers/timer.ts';
import { nowOf } from '../timers/timer-time.ts';
import type { Queues } from './queues.ts';

interface RingJobsOptions {
  redis: Redis;
  queues: Pick<Queues, 'ring'>;
  clock?: HouseholdClock;
}

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
