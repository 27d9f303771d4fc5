/** Into so many parts a limit is cut. */
const parts = 10;

export interface AwakeLimit {
  /** The time begins anew. */
  again: () => void;
  stop: () => void;
}

/**
 * Calls back after so many milliseconds in which this process itself ran. On a busy machine it may stand still, once or again and again, and what
 * others sent meanwhile lies unread: each part of the time counts once, however late its end is noticed, and all that lies there is read first.
 */
export function startAwakeLimit(ms: number, onOver: () => void): AwakeLimit {
  let left = parts;
  let reading: NodeJS.Immediate | undefined;
  const end = () => {
    reading = undefined;
    if (left === 0) onOver();
  };
  const timer = setTimeout(() => {
    left -= 1;
    if (left > 0) timer.refresh();
    else reading = setImmediate(end);
  }, ms / parts);
  const begin = () => {
    clearImmediate(reading);
    left = parts;
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
