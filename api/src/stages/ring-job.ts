import type { RingPayload } from '../jobs/queues.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';

interface RingJobOptions {
  timers: Pick<TimerStore, 'read'>;
  sweep: Pick<TimerSweep, 'tend'>;
}

/** A timer is due. It rings once, however often this runs, and not at all if it was changed or cancelled. */
export function createRingJob({ timers, sweep }: RingJobOptions) {
  return async ({ timerId }: RingPayload): Promise<void> => {
    const timer = await timers.read(timerId);
    // If it is not due, it was postponed or a clock differs. The sweep will ring it.
    if (timer?.state === 'running') await sweep.tend(timer);
  };
}
