import type { Timer } from './timer.ts';

/** The delayed jobs of the timers. The sweep covers missing jobs, so none is essential. */
export interface RingJobs {
  /** Adds a job for the timer's due time. */
  add(timer: Timer): Promise<void>;
  /** Removes the job for this due time. */
  remove(timer: Timer): Promise<void>;
}

/** Ignores failures: the timer records are correct, and the sweep covers missing jobs. */
export async function arrange(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
}
