import type { Clock } from '../../clock.ts';
import type { OwnVoice } from './own-voice.ts';
import type { SpeechSegment } from './playback.ts';

interface FillerOptions {
  turnId: string;
  clock: Clock;
  voice: Pick<OwnVoice, 'filler'>;
  /** Delay after which the filler is played. Null: never. */
  afterMs: number | null;
  /** The answer has not started yet. */
  isWanted: () => boolean;
  play: (filler: SpeechSegment) => void;
}

/** Says "one moment" once if an answer takes long, but not while the person speaks. */
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
    cancelTimeout: afterMs === null ? () => undefined : clock.after(afterMs, fill),
    hold(): void {
      isHeld = true;
    },
    release(): void {
      isHeld = false;
      if (clock.nowMs() >= dueAtMs) fill();
    },
  };
}
