import { z } from 'zod';

/**
 * One piece of a stub's work: its start and end, in ms of the machine's own clock. Null if not yet reached.
 */
export const workSchema = z.object({
  stage: z.enum(['hear', 'think', 'say']),
  begunAt: z.number(),
  endedAt: z.number().nullable(),
});
export type Work = z.infer<typeof workSchema>;

/** More than any bench requests between two reads. */
const maxKept = 1_000;

/** The work of a stub since the last read. */
export function createWorkLog() {
  let kept: Work[] = [];
  return {
    /** Does a piece of work and records its times. */
    async note<T>(stage: Work['stage'], run: () => Promise<T>): Promise<T> {
      const work: Work = { stage, begunAt: machineMs(), endedAt: null };
      if (kept.length < maxKept) kept.push(work);
      try {
        return await run();
      } finally {
        work.endedAt = machineMs();
      }
    },
    take(): Work[] {
      const taken = kept;
      kept = [];
      return taken;
    },
  };
}

/** The machine's own clock, the same in every process. */
export function machineMs(atMs = performance.now()): number {
  return performance.timeOrigin + atMs;
}
