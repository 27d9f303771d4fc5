import type { Clock } from '../clock.ts';

/**
 * The monotonic clock of this machine. Before a timeout runs, all arrived data is read: after a stall of the
 * process the answer that it would give up on may be there.
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
