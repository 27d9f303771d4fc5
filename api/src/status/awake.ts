import { createOwnTime } from '../redis/own-time.ts';

/** How often a process checks that it runs. */
const intervalMs = 500;
/** Longer than a garbage collection or a busy machine takes. Peers tolerate a silence this short. */
const minMs = 3_000;

/** A period in which this process was suspended: it was stopped, or its machine slept. */
export interface Suspension {
  /** Its duration, with sleep. 0: there was none yet. */
  ms: number;
  /** When it ended, by `now`. */
  endedAt: number;
}

interface Awake {
  /** Since when the process has run without a long pause, by `now`. */
  since: () => number;
  /** The last suspension. */
  suspension: () => Suspension;
  stop: () => void;
}

interface AwakeOptions {
  now?: () => number;
  /** Elapsed time in ms, with sleep. */
  ownMs?: () => number;
}

/**
 * Detects that this process was suspended. Meanwhile it received nothing, and messages may arrive after its
 * own timers fire. So the silence of other processes proves nothing yet.
 */
export function watchAwake(options: AwakeOptions = {}): Awake {
  const { now = () => performance.now(), ownMs = createOwnTime() } = options;
  let [since, seenAt] = [now(), ownMs()];
  let suspension: Suspension = { ms: 0, endedAt: since };
  const look = (): void => {
    const at = ownMs();
    const ms = at - seenAt;
    if (ms >= minMs) {
      since = now();
      suspension = { ms, endedAt: since };
    }
    seenAt = at;
  };
  const timer = setInterval(look, intervalMs).unref();
  return {
    since: () => {
      look();
      return since;
    },
    suspension: () => {
      look();
      return suspension;
    },
    stop: () => clearInterval(timer),
  };
}
