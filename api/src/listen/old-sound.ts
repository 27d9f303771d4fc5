import type { Clock } from './clock.ts';

/** This process stood still: for how long, and until when by the clock. */
export interface StoodStill {
  ms: number;
  endedAt: number;
}

/** Whoever has waited longer for a sign has said it again, or helped themselves: it must not be done any more. */
const maxOldMs = 5_000;
/** A network that was away with the machine brings what it holds within this. */
const deliveryMs = 120_000;
/** So long the pace of the sound is looked at. */
const paceMs = 250;
const freshPace = 1.5;
const bytesPerMs = 32;

interface OldSoundOptions {
  clock: Clock;
  standstill: () => StoodStill;
  /** What was said before it counts no more. */
  onStandstill: () => void;
  /** Sound is left out. */
  onOld: (standstill: StoodStill) => void;
}

interface Look {
  sinceMs: number;
  soundMs: number;
  /** It is heard after all if the pace is that of speech. */
  held: Buffer[];
}

/** Leaves out the sound that waited while this process stood still: it comes faster than anybody speaks. */
export function createOldSound({ clock, standstill, onStandstill, onOld }: OldSoundOptions) {
  let knownAt = clock.nowMs();
  let isTold = false;
  let look: Look | null = null;

  const notice = (): void => {
    const { ms, endedAt } = standstill();
    if (endedAt <= knownAt) return;
    knownAt = endedAt;
    if (ms < maxOldMs || clock.nowMs() - endedAt > deliveryMs) return;
    [isTold, look] = [false, { sinceMs: clock.nowMs(), soundMs: 0, held: [] }];
    onStandstill();
  };
  const leaveOut = (old: Look): void => {
    old.held = [];
    if (isTold) return;
    isTold = true;
    onOld(standstill());
  };

  /** The sound that is to be heard now. */
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

/** Whether sound that came last at this time is from before a standstill. */
export function isFromBefore(lastSoundAtMs: number, { ms, endedAt }: StoodStill): boolean {
  return ms >= maxOldMs && endedAt >= lastSoundAtMs;
}
