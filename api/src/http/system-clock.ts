import type { Clock } from '../clock.ts';

/**
 * The monotonic clock of this machine. It reads all arrived data before a timeout runs. After a stall of the
 * process, the awaited answer may already be there.
 */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    let reading: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      reading = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(reading);
    };
  },
};
