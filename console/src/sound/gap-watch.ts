/** Longest time between two frames without a gap, in ms. The sound thread may be a little late. */
const maxGapMs = 500;

/**
 * Notices missing sound by the times of the frames: a browser may suspend a page, and a machine may sleep.
 * The first frame follows a gap, too. A clock that was set counts as a gap.
 */
export function createGapWatch(onGap: () => void) {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (atMs: number): void => {
    if (Math.abs(atMs - lastMs) > maxGapMs) onGap();
    lastMs = atMs;
  };
}
