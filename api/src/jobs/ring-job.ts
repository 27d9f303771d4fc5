import type { TimerStore } from '../timers/timer-store.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';
import type { RingPayload } from './queues.ts';

/** The clocks of computers that share the work differ at most by this: no job comes earlier. */
const mostAheadMs = 1_000;
/** A wait may end a little before the clock says so. */
const spareMs = 5;

interface RingJobOptions {
  timers: Pick<TimerStore, 'read'>;
  sweep: Pick<TimerSweep, 'tend'>;
}

/** The time of a timer has come. It rings once, however often this runs, and not at all if it was changed or cancelled meanwhile. */
export function createRingJob({ timers, sweep }: RingJobOptions) {
  const running = async (timerId: string) => {
    const timer = await timers.read(timerId);
    return timer?.state === 'running' ? timer : null;
  };

  return async ({ timerId }: RingPayload): Promise<void> => {
    let timer = await running(timerId);
    const earlyMs = timer ? timer.dueAt - Date.now() : 0;
    if (earlyMs > 0 && earlyMs <= mostAheadMs) {
      await new Promise((resolve) => setTimeout(resolve, earlyMs + spareMs));
      timer = await running(timerId);
    }
    // If it is not due, this job was for an earlier time of it: another job waits for the new one.
    if (timer && timer.dueAt <= Date.now()) await sweep.tend(timer, Date.now());
  };
}
