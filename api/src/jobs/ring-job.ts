import type { TimerStore } from '../timers/timer-store.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';
import type { RingPayload } from './queues.ts';

interface RingJobOptions {
  timers: Pick<TimerStore, 'read'>;
  sweep: Pick<TimerSweep, 'tend'>;
}

/** The time of a timer has come. It rings once however often this runs; one that was changed or cancelled meanwhile does not. */
export function createRingJob({ timers, sweep }: RingJobOptions) {
  return async ({ timerId }: RingPayload): Promise<void> => {
    const timer = await timers.read(timerId);
    // Of one that is not due the job was for an earlier time: another one waits for the new.
    if (timer?.state === 'running' && timer.dueAt <= Date.now()) await sweep.tend(timer, Date.now());
  };
}
