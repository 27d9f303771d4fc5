import { setImmediate as nextRound } from 'node:timers/promises';
import type { Clock } from '../../../api/src/clock.ts';

export type FakeClock = ReturnType<typeof createFakeClock>;

/** A clock that advances only when the test says so. */
export function createFakeClock() {
  const waiting = new Set<{ atMs: number; run: () => void }>();
  let nowMs = 0;

  const nextBefore = (untilMs: number) =>
    [...waiting].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];

  const clock: Clock = {
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + Math.max(0, ms), run };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
  };
  return {
    ...clock,
    /** Advances the time and runs every due timeout. */
    async pass(ms: number): Promise<void> {
      const untilMs = nowMs + ms;
      await nextRound();
      for (let next = nextBefore(untilMs); next; next = nextBefore(untilMs)) {
        waiting.delete(next);
        nowMs = next.atMs;
        next.run();
        await nextRound();
      }
      nowMs = untilMs;
    },
    /** The number of waiting timeouts. */
    get waiting() {
      return waiting.size;
    },
  };
}
