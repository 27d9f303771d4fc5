import type { Clock } from '../../clock.ts';

/** How long this process was suspended, and until when by the clock. */
export interface PastSuspension {
  ms: number;
  endedAt: number;
}

/** After a longer wait, people repeat the request or act themselves. The old request must not run. */
const maxOldMs = 5_000;
/** After a suspension, the network may deliver buffered sound for this long. */
const deliveryMs = 120_000;
/** Window over which the pace of the sound is measured. */
const paceMs = 250;
const freshPace = 1.5;
const bytesPerMs = 32;

interface OldSoundOptions {
  clock: Clock;
  suspension: () => PastSuspension;
  /** Called after a suspension: earlier speech no longer counts. */
  onSuspension: () => void;
  /** Called when sound is dropped. */
  onOld: (suspension: PastSuspension) => void;
}

interface Look {
  sinceMs: number;
  soundMs: number;
  /** Sound in doubt. It is processed later if it arrives at the pace of speech. */
  held: Buffer[];
}

/**
 * Drops sound that was buffered while this process was suspended. Such sound arrives faster than real time.
 */
export function createOldSound({ clock, suspension, onSuspension, onOld }: OldSoundOptions) {
  let knownAt = clock.nowMs();
  let isTold = false;
  let look: Look | null = null;

  const notice = (): void => {
    const { ms, endedAt } = suspension();
    if (endedAt <= knownAt) return;
    knownAt = endedAt;
    if (ms < maxOldMs || clock.nowMs() - endedAt > deliveryMs) return;
    [isTold, look] = [false, { sinceMs: clock.nowMs(), soundMs: 0, held: [] }];
    onSuspension();
  };
  const leaveOut = (old: Look): void => {
    old.held = [];
    if (isTold) return;
    isTold = true;
    onOld(suspension());
  };

  /** Returns the sound to process now. */
  return (samples: Buffer): readonly Buffer[] => {
    notice();
    if (look === null) return [samples];
    look.held.push(samples);
    look.soundMs += samples.length / bytesPerMs;
    if (look.soundMs > freshPace * paceMs) leaveOut(look);
    const lookedMs = clock.nowMs() - look.sinceMs;
    if (lookedMs < paceMs) return [];
    const { held, soundMs } = look;
    const isFresh = soundMs <= freshPace * lookedMs;
    look = isFresh ? null : { sinceMs: clock.nowMs(), soundMs: 0, held: [] };
    return isFresh ? held : [];
  };
}

/** Whether the last sound arrived before a suspension ended. */
export function isFromBefore(lastSoundAtMs: number, { ms, endedAt }: PastSuspension): boolean {
  return ms >= maxOldMs && endedAt >= lastSoundAtMs;
}
