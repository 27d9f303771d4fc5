import type { Clock } from './clock.ts';

/** A satellite that has not read this much is slow: sound waits until it has caught up. */
const maxUnreadBytes = 64 * 1024;
/** A satellite that is slow for this long is given up. */
const maxPatienceMs = 10_000;

interface SlowReaderOptions {
  clock: Clock;
  loudspeaker: {
    /** Bytes that were sent and not read yet. */
    unreadBytes(): number;
    /** The satellite has stopped reading. */
    giveUp(): void;
  };
}

/** Watches whether a satellite reads as fast as it is sent to, and gives it up if it has not for long. */
export function createSlowReaderWatch({ clock, loudspeaker }: SlowReaderOptions) {
  let slowSinceMs: number | null = null;
  return {
    isSlow(): boolean {
      if (loudspeaker.unreadBytes() <= maxUnreadBytes) {
        slowSinceMs = null;
        return false;
      }
      slowSinceMs ??= clock.nowMs();
      if (clock.nowMs() - slowSinceMs >= maxPatienceMs) loudspeaker.giveUp();
      return true;
    },
  };
}
