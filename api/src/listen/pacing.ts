const bytesPerMs = 32;

export interface PaceOptions {
  /** So far ahead of being played sound is sent: small devices have small buffers. */
  aheadMs: number;
}

/** How far sound at 16 kHz that is sent has been played. Told the time by whoever asks. */
export function createPace({ aheadMs }: PaceOptions) {
  let sentBytes = 0;
  /** When the last sound that was sent has been played; whatever comes later begins later. */
  let playedOutAtMs = Number.NEGATIVE_INFINITY;
  const leftMs = (nowMs: number) => Math.max(0, playedOutAtMs - nowMs);

  return {
    sent(samples: Buffer, nowMs: number): void {
      sentBytes += samples.length;
      playedOutAtMs = Math.max(playedOutAtMs, nowMs) + samples.length / bytesPerMs;
    },
    /** How long until more may be sent. */
    waitMs: (nowMs: number) => Math.max(0, leftMs(nowMs) - aheadMs),
    /** How long until all that was sent has been played. */
    leftMs,
    /** How much has been heard by the clock. */
    playedMs: (nowMs: number) => sentBytes / bytesPerMs - leftMs(nowMs),
    get sentMs() {
      return sentBytes / bytesPerMs;
    },
  };
}
