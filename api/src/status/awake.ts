import { createOwnTime } from '../redis/own-time.ts';

/** How often a process notes that it runs. */
const everyMs = 500;
/** A garbage collection or a busy machine takes less, and nobody counts as gone after so short a silence. */
const leastMs = 3_000;

/** A time in which this process stood still: it was stopped, or its machine slept. */
export interface Standstill {
  /** How long it took, sleep included; 0: there was none yet. */
  ms: number;
  /** When it was over, by `now`. */
  endedAt: number;
}

export interface Awake {
  /** Since when it has run without a longer pause, by `now`. */
  since: () => number;
  /** The last one. */
  standstill: () => Standstill;
  stop: () => void;
}

interface AwakeOptions {
  now?: () => number;
  /** Time as it passes, in ms, sleep included. */
  ownMs?: () => number;
}

/**
 * Notices that this process stood still. Meanwhile it heard nobody, and what was sent to it is still on the way when its own timers come, so the
 * silence of others says nothing yet.
 */
export function watchAwake(options: AwakeOptions = {}): Awake {
  const { now = () => performance.now(), ownMs = createOwnTime() } = options;
  let [since, seenAt] = [now(), ownMs()];
  let standstill: Standstill = { ms: 0, endedAt: since };
  const look = (): void => {
    const at = ownMs();
    const ms = at - seenAt;
    if (ms >= leastMs) {
      since = now();
      standstill = { ms, endedAt: since };
    }
    seenAt = at;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    since: () => {
      look();
      return since;
    },
    standstill: () => {
      look();
      return standstill;
    },
    stop: () => clearInterval(timer),
  };
}
