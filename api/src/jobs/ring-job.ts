import type { TimerStore } from '../timers/timer-store.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';
import type { RingPayload } from './queues.ts';

/** The clocks of computers that share the work may differ so much: the job of another one's is no earlier than this. */
const mostAheadMs = 1_000;
/** A wait may end a little before the clock says so. */
const spareMs = 5;

interface RingJobOptions {
  timers: Pick<TimerStore, 'read'>;
  sweep: Pick<TimerSweep, 'tend'>;
}

/** The time of a timer has come. It rings once however often this runs; one that was changed or cancelled meanwhile does not. */
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
    // Of one that is not due the job was for an earlier time: another one waits for the new.
    if (timer && timer.dueAt <= Date.now()) await sweep.tend(timer, Date.now());
  };
}
