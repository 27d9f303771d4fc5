const firstMs = 500;
/** A few pages in a house: none of them is a burden. */
const longestMs = 8_000;
/** A connection that lasted this long was a good one: the next attempt comes soon. */
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
