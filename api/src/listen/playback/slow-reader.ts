import type { Clock } from '../../clock.ts';

/** A satellite with more unread bytes is slow, so sound waits until it has caught up. */
const maxUnreadBytes = 64 * 1024;
/** A satellite that stays slow for this long is disconnected. */
const maxPatienceMs = 10_000;

interface SlowReaderOptions {
  clock: Clock;
  loudspeaker: {
    /** Bytes that were sent but not read yet. */
    unreadBytes(): number;
    /** Disconnects the satellite, because it has stopped reading. */
    giveUp(): void;
  };
}

/** Watches whether a satellite reads fast enough, and disconnects it if it has been slow for too long. */
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
