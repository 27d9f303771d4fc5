import type { Clock } from '../clock.ts';

/** The monotonic clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
