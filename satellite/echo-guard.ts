import { createFollowedPower } from './sound-power.ts';

/** Share of each new frame (20 ms) in the power estimate. */
const follow = 0.5;
/**
 * A person speaks if suppression leaves this share of the sound that subtraction leaves. Of a pure echo it
 * leaves almost nothing.
 */
const somebodySpeaks = 0.2;
/** A larger share is not a person: the suppression does not work yet. */
const nothingSuppressed = 2;
/** A person must also exceed the room's noise by this factor; the noise estimate rises slowly per frame. */
const aboveNoise = 6;
const noiseRises = 1.01;
const minNoise = 1e-7;
/** Number of frames held between two syllables, where suppression also leaves nothing. */
const holdFrames = 15;
/**
 * Delay of the suppression in noticing a person: 300 ms, the beginning of a word. Those frames are sent
 * afterwards.
 */
const lateFrames = 15;
/** Late frames fade in, because a hard edge sounds like a consonant. */
const fadeFrames = 6;
/** Subtraction made the sound louder, so the echo path has changed. */
const worse = 1.2;

/** A room is known after this many frames with 12 dB less echo. Until then playback mutes the microphone. */
const settledShare = 0.06;
const settledFrames = 40;
const maxUnsettledFrames = 150;
/** At the start of a sound, suppression still leaves some of the echo. */
const beginningFrames = 12;

interface EchoGuardOptions {
  onWorse: () => void;
}

interface Cleaned {
  captured: Float64Array;
  suppressed: Float64Array;
  /** Null while nothing can be subtracted yet. */
  subtracted: Float64Array | null;
}

/**
 * Chooses between two ways to remove an echo. Suppression removes all of it and most speech over it, so it
 * detects whether a person speaks. Subtraction keeps the speech and some echo, so its output is sent while a
 * person speaks.
 */
export function createEchoGuard({ onWorse }: EchoGuardOptions) {
  const [heardPower, suppressedPower, subtractedPower] = [
    createFollowedPower(follow),
    createFollowedPower(follow),
    createFollowedPower(follow),
  ];
  let noise = minNoise;
  let held = 0;
  let missed: Float64Array[] = [];
  let unsettled = maxUnsettledFrames;
  let soft = 0;

  const isPerson = ({ captured, suppressed, subtracted }: Cleaned): boolean => {
    const [before, quiet] = [heardPower(captured), suppressedPower(suppressed)];
    noise = Math.max(minNoise, Math.min(quiet, noise * noiseRises));
    if (subtracted === null) return false;
    const left = subtractedPower(subtracted);
    if (before > aboveNoise * noise) soft = left < settledShare * before ? soft + 1 : 0;
    if (soft === settledFrames) unsettled = 0;
    const isWorse = left > worse * before;
    if (isWorse) onWorse();
    const share = quiet / left;
    return !isWorse && share > somebodySpeaks && share < nothingSuppressed && quiet > aboveNoise * noise;
  };
  /** Prepends the frames that were suppressed before the word was detected. */
  const withMissed = (sound: Float64Array): Float64Array[] => {
    const all = [...missed, sound];
    const rising = Math.min(all.length, missed.length > 0 ? fadeFrames : 0);
    missed = [];
    return all.map((frame, n) => faded(frame, n / rising, (n + 1) / rising));
  };

  return {
    /** Returns the sound to send for this frame: usually one frame, more when a person has begun to speak. */
    choose(cleaned: Cleaned): Float64Array[] {
      const { suppressed, subtracted } = cleaned;
      held = isPerson(cleaned) ? holdFrames : Math.max(0, held - 1);
      if (subtracted === null) unsettled = maxUnsettledFrames;
      else if (unsettled > 0) {
        unsettled -= 1;
        held = 0;
        return [new Float64Array(suppressed.length)];
      }
      if (subtracted === null) return [suppressed];
      if (held > 0) return withMissed(subtracted);
      missed = [...missed, subtracted].slice(-lateFrames);
      return [suppressed];
    },
    /** Starts a new playback after silence. */
    begin(): void {
      [held, missed, unsettled] = [0, [], Math.max(unsettled, beginningFrames)];
    },
  };
}

/** Fades a frame between two gains; from 1 on it stays unchanged. */
function faded(sound: Float64Array, from: number, to: number): Float64Array {
  if (!(from < 1)) return sound;
  return sound.map((sample, n) => sample * (from + ((to - from) * n) / sound.length));
}
