/** Below this, a late first word is noise of this machine. */
const minLateMs = 100;
/** An answer this many times later than usual is late. */
const lateFactor = 2;
/** Weights of the newest time and deviation, and the number of deviations that are usual: as in RFC 6298. */
const [meanWeight, deviationWeight, usualDeviations] = [1 / 8, 1 / 4, 4];

export type FirstWordTimes = ReturnType<typeof createFirstWordTimes>;

/** How long one server usually takes to its first word. */
export function createFirstWordTimes() {
  let known: { meanMs: number; deviationMs: number } | undefined;

  return {
    note(ms: number): void {
      if (known === undefined) {
        known = { meanMs: ms, deviationMs: ms / 2 };
        return;
      }
      const { meanMs, deviationMs } = known;
      known = {
        meanMs: meanMs + meanWeight * (ms - meanMs),
        deviationMs: deviationMs + deviationWeight * (Math.abs(ms - meanMs) - deviationMs),
      };
    },
    /** Time in ms after which its first word is late. Null: not measured yet. */
    get lateMs(): number | null {
      if (known === undefined) return null;
      const { meanMs, deviationMs } = known;
      return Math.max(minLateMs, lateFactor * meanMs, meanMs + usualDeviations * deviationMs);
    },
  };
}
