import type { TimerStore } from '../timers/timer-store.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';
import type { RingPayload } from './queues.ts';

interface RingJobOptions {
  timers: Pick<TimerStore, 'read'>;
  sweep: Pick<TimerSweep, 'tend'>;
}

/** The time of a timer has come. It rings once, however often this runs, and not at all if it was changed or cancelled meanwhile. */
export function createRingJob({ timers, sweep }: RingJobOptions) {
  return async ({ timerId }: RingPayload): Promise<void> => {
    const timer = await timers.read(timerId);
    // If it is not due, this job was for an earlier time of it, or a clock was set or is ahead: the sweep waits for it.
    if (timer?.state === 'running') await sweep.tend(timer);
  };
}
