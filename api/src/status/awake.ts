/** How often a process notes that it runs. */
const everyMs = 500;
/** A garbage collection or a busy machine takes less, and nobody counts as gone after so short a silence. */
const leastMs = 3_000;

export interface Awake {
  /** Since when it has run without a longer pause, by `now`. */
  since: () => number;
  stop: () => void;
}

/**
 * Notices that this process stood still: it was stopped, or its machine slept. Meanwhile it heard nobody, and what was sent to it is still on the
 * way when its own timers come, so the silence of others says nothing yet.
 */
export function watchAwake(now: () => number = () => performance.now()): Awake {
  let [since, seenAt] = [now(), now()];
  const look = (): void => {
    const at = now();
    if (at - seenAt >= leastMs) since = at;
    seenAt = at;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    since: () => {
      look();
      return since;
    },
    stop: () => clearInterval(timer),
  };
}
