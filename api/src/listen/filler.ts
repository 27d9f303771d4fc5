import type { Clock } from './clock.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Utterable } from './playback.ts';

interface FillerOptions {
  turnId: string;
  clock: Clock;
  voice: Pick<OwnVoice, 'filler'>;
  /** The filler is said if the answer takes longer; null: never. */
  afterMs: number | null;
  /** Nothing of the answer is there yet. */
  isWanted: () => boolean;
  play: (filler: Utterable) => void;
}

/** Says "one moment" if an answer takes long: once, and not while the person speaks. */
export function createFiller({ turnId, clock, voice, afterMs, isWanted, play }: FillerOptions) {
  const dueAtMs = clock.nowMs() + (afterMs ?? Number.POSITIVE_INFINITY);
  let hasFilled = false;
  let isHeld = false;

  const fill = (): void => {
    if (!isWanted() || hasFilled || isHeld) return;
    hasFilled = true;
    void voice.filler(turnId).then((filler) => {
      if (isWanted() && filler.sound) play(filler);
    });
  };

  return {
    callOff: afterMs === null ? () => undefined : clock.after(afterMs, fill),
    hold(): void {
      isHeld = true;
    },
    release(): void {
      isHeld = false;
      if (clock.nowMs() >= dueAtMs) fill();
    },
  };
}
