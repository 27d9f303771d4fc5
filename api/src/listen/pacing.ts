const bytesPerMs = 32;

export interface PaceOptions {
  /** Sound is sent at most this long before it is played: small devices have small buffers. */
  aheadMs: number;
}

/** Tells how much of the sound that was sent, at 16 kHz, has been played. Knows no clock: each call names the time. */
export function createPace({ aheadMs }: PaceOptions) {
  let sentBytes = 0;
  /** When the last sound that was sent will have been played. Later sound begins then at the earliest. */
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
