import { createFollowedPower } from './sound-power.ts';

/** How fast loudness is followed, from frame to frame (20 ms). */
const follow = 0.5;
/** Somebody speaks when the suppression leaves this share of what the subtraction leaves: of an echo alone it leaves next to nothing. */
const somebodySpeaks = 0.2;
/** More than that is no person: it does not suppress yet. */
const nothingSuppressed = 2;
/** And when it leaves so much more than the noise of the room, which rises no faster than this from frame to frame. */
const aboveNoise = 6;
const noiseRises = 1.01;
const leastNoise = 1e-7;
/** Between two syllables it leaves nothing either: so many frames. */
const holdFrames = 15;
/** The suppression notices a person so late, in frames: 300 ms, a beginning of a word. It is sent afterwards. */
const lateFrames = 15;
/** They rise out of the silence: a hard edge is heard as a consonant. */
const fadeFrames = 6;
/** Subtracting has made it louder: the way from the loudspeaker has changed. */
const worse = 1.2;

/** What it takes to know a room: for so many frames the echo is 12 dB softer. Until then nothing is heard over it. */
const settledShare = 0.06;
const settledFrames = 40;
const maxUnsettledFrames = 150;
/** At the beginning of a sound the suppression still leaves some of it. */
const beginningFrames = 12;

interface EchoGuardOptions {
  onWorse: () => void;
}

interface Cleaned {
  heard: Float64Array;
  suppressed: Float64Array;
  /** Null: nothing can be subtracted yet. */
  subtracted: Float64Array | null;
}

/**
 * Chooses between two ways to take an echo out. The suppression leaves nothing of it, and little of whoever speaks over it; so it decides whether
 * somebody does. The subtraction leaves the person as they are, and a rest of the echo; so it is what is heard of them.
 */
export function createEchoGuard({ onWorse }: EchoGuardOptions) {
  const [heardPower, suppressedPower, subtractedPower] = [
    createFollowedPower(follow),
    createFollowedPower(follow),
    createFollowedPower(follow),
  ];
  let noise = leastNoise;
  let held = 0;
  let missed: Float64Array[] = [];
  let unsettled = maxUnsettledFrames;
  let soft = 0;

  const isPerson = ({ heard, suppressed, subtracted }: Cleaned): boolean => {
    const [before, quiet] = [heardPower(heard), suppressedPower(suppressed)];
    noise = Math.max(leastNoise, Math.min(quiet, noise * noiseRises));
    if (subtracted === null) return false;
    const left = subtractedPower(subtracted);
    if (before > aboveNoise * noise) soft = left < settledShare * before ? soft + 1 : 0;
    if (soft === settledFrames) unsettled = 0;
    const isWorse = left > worse * before;
    if (isWorse) onWorse();
    const share = quiet / left;
    return !isWorse && share > somebodySpeaks && share < nothingSuppressed && quiet > aboveNoise * noise;
  };
  /** What was sent as silence, and was the beginning of a word. */
  const withMissed = (sound: Float64Array): Float64Array[] => {
    const all = [...missed, sound];
    const rising = Math.min(all.length, missed.length > 0 ? fadeFrames : 0);
    missed = [];
    return all.map((frame, n) => faded(frame, n / rising, (n + 1) / rising));
  };

  return {
    /** What is sent for this frame: mostly a frame, and more when somebody has begun to speak. */
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
    /** A sound begins, after none. */
    begin(): void {
      [held, missed, unsettled] = [0, [], Math.max(unsettled, beginningFrames)];
    },
  };
}

/** Louder from one part of its loudness to another; whole from 1 on. */
function faded(sound: Float64Array, from: number, to: number): Float64Array {
  if (!(from < 1)) return sound;
  return sound.map((sample, n) => sample * (from + ((to - from) * n) / sound.length));
}
