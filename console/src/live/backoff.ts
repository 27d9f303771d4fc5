const firstMs = 500;
/** Short, because a household has only a few pages. */
const longestMs = 8_000;
/** After a connection of this length, the delay starts from its minimum again. */
const goodAfterMs = 10_000;

/**
 * The delay before the next attempt. It grows, and differs between pages, so that they do not reconnect at
 * once.
 */
export function createBackoff({ random = Math.random }: { random?: () => number } = {}) {
  let waitMs = firstMs;
  return {
    nextMs(): number {
      const now = waitMs;
      waitMs = Math.min(longestMs, waitMs * 2);
      return Math.round(now * (0.5 + random() / 2));
    },
    /** A connection has ended after being open this long. */
    held(forMs: number): void {
      if (forMs > goodAfterMs) waitMs = firstMs;
    },
    reset(): void {
      waitMs = firstMs;
    },
  };
}
