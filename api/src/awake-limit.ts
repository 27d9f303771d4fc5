/** Number of slices the limit is split into. */
const slices = 10;

interface AwakeLimit {
  /** Starts the limit again from zero. */
  again: () => void;
  stop: () => void;
}

/**
 * Calls back after `ms` milliseconds in which this process could run. On a busy machine the process may stall
 * while answers wait unread. A stall uses up one slice at most, and all arrived data is read before the
 * callback.
 */
export function startAwakeLimit(ms: number, onOver: () => void): AwakeLimit {
  let left = slices;
  let reading: NodeJS.Immediate | undefined;
  const end = () => {
    reading = undefined;
    if (left === 0) onOver();
  };
  const timer = setTimeout(() => {
    left -= 1;
    if (left > 0) timer.refresh();
    else reading = setImmediate(end);
  }, ms / slices);
  const begin = () => {
    clearImmediate(reading);
    left = slices;
  };
  return {
    again: () => {
      begin();
      timer.refresh();
    },
    stop: () => {
      begin();
      clearTimeout(timer);
    },
  };
}
