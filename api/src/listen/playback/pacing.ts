const bytesPerMs = 32;

interface PaceOptions {
  /** Maximum time by which sound is sent ahead of playback, because small devices have small buffers. */
  aheadMs: number;
}

/** Computes how much of the sent sound (16 kHz) has been played. Every call passes the time. */
export function createPace({ aheadMs }: PaceOptions) {
  let sentBytes = 0;
  /** Clock time at which all sent sound will have been played. Later sound begins no earlier. */
  let playedOutAtMs = Number.NEGATIVE_INFINITY;
  const leftMs = (nowMs: number) => Math.max(0, playedOutAtMs - nowMs);

  return {
    sent(samples: Buffer, nowMs: number): void {
      sentBytes += samples.length;
      playedOutAtMs = Math.max(playedOutAtMs, nowMs) + samples.length / bytesPerMs;
    },
    /** Time until more sound may be sent. */
    waitMs: (nowMs: number) => Math.max(0, leftMs(nowMs) - aheadMs),
    /** Time until all sent sound has been played. */
    leftMs,
    /** How much has been played by the clock. */
    playedMs: (nowMs: number) => sentBytes / bytesPerMs - leftMs(nowMs),
    get sentMs() {
      return sentBytes / bytesPerMs;
    },
  };
}
