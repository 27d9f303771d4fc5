import { UnrecoverableError } from 'bullmq';
import { toAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isRedisFailure } from '../redis/redis.ts';
import type { RunningWork } from './running-work.ts';

interface SideWorkOptions {
  running: RunningWork;
  log: Logger;
}

interface SideWork {
  /** Fields of its log lines. `turn` is also the id for cancellation. */
  about: { turn: string; [more: string]: unknown };
  deadlineAt: number;
  run: (signal: AbortSignal) => Promise<void>;
}

/** Runs work outside the turns. On failure, its caller continues without the result. */
export function createSideWork({ running, log }: SideWorkOptions) {
  return async ({ about, deadlineAt, run }: SideWork): Promise<void> => {
    const work = running.begin(about.turn);
    if (!work.endsAt(deadlineAt)) return work.end();
    const begunAt = performance.now();
    try {
      await run(work.signal);
      log.debug({ ...about, ms: Math.round(performance.now() - begunAt) }, 'done');
    } catch (thrown) {
      const error = toAppError(work.signal.aborted ? work.signal.reason : thrown);
      const { code, cause } = error;
      // Repeating is harmless, and no failure was reported, so BullMQ may retry.
      if (isRedisFailure(code)) throw error;
      if (code !== 'turn_cancelled') log.warn({ ...about, code, err: cause }, 'side work failed');
      throw new UnrecoverableError(code);
    } finally {
      work.end();
    }
  };
}
