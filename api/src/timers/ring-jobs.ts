import type { Timer } from './timer.ts';

/** The delayed jobs behind the timers. The sweep makes good what they miss, so nothing fails for want of one. */
export interface RingJobs {
  /** There is a job for the timer's due time. */
  add(timer: Timer): Promise<void>;
  /** Nobody waits for this due time any more. */
  remove(timer: Timer): Promise<void>;
}

/** The timers are right; a job more or less is not worth an error. */
export async function arrange(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
}
