/** The queue is full: no more work may wait. */
export class LimitReachedError extends Error {
  override readonly name = 'LimitReachedError';
}

interface ConcurrencyLimitOptions {
  maxAtOnce: number;
  maxWaiting: number;
}

/**
 * Limits how much work runs at once and how much waits, in order of arrival. Not p-limit: it cannot remove a
 * single waiter. A disconnected caller would keep a place in the queue and its recording in memory.
 */
export function createConcurrencyLimit({ maxAtOnce, maxWaiting }: ConcurrencyLimitOptions) {
  let running = 0;
  const waiting = new Set<() => void>();

  /** Waits for a slot. Throws LimitReachedError or the signal's reason. */
  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < maxAtOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= maxWaiting) throw new LimitReachedError('too many are waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Passes the slot to the next waiter or frees it. */
  function leave(): void {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
