import { createFollowedPower, powerOf } from './sound-power.ts';

/** Played sound of this power (the mean of squares) is loud enough to come back: -46 dB. */
const loud = 2.5e-5;
/** So much of it has to have been played, in frames of 20 ms: half a second. */
const leastLoudFrames = 25;
/** It comes back 600 ms later at most; then it should have been heard for a while: 800 ms in all. */
const lateFrames = 40;
/** What stands out of the noise of the room by less than 6 dB is taken for no speech, so it need not be taken out. */
const standsOut = 4;
/** The noise of a room rises no faster than this from frame to frame; a person who speaks is none. */
const noiseRises = 1.01;
const leastNoise = 1e-8;
/** Nothing is known of the room before so many frames. */
const knownAfterFrames = 50;
/** How fast loudness is followed, from frame to frame. */
const follow = 0.5;

/**
 * Knows where nothing comes back of what is played: headphones, a loudspeaker in another room, a card that takes the echo out itself. There nobody need
 * wait until the way of an echo is known.
 */
export function createEchoAbsence() {
  let [noise, quietFrames] = [Number.POSITIVE_INFINITY, 0];
  let [heardPower, loudFrames, frames, most, maxAtDecision] = [0, 0, 0, 0, 0];
  const followed = createFollowedPower(follow);
  let state: 'open' | 'absent' | 'there' = 'open';

  const hear = (heard: Float64Array): void => {
    heardPower = followed(heard);
  };
  const decide = (): void => {
    if (quietFrames < knownAfterFrames || heardPower > standsOut * noise) state = 'there';
    else if (loudFrames >= leastLoudFrames && frames >= lateFrames) [state, maxAtDecision] = ['absent', most];
  };

  return {
    /** A frame of the microphone while nothing plays. */
    quiet(heard: Float64Array): void {
      hear(heard);
      quietFrames += 1;
      noise = Math.max(leastNoise, Math.min(heardPower, noise * noiseRises));
    },
    /** A sound begins, after none. */
    begin(): void {
      [loudFrames, frames, most, state] = [0, 0, 0, 'open'];
    },
    /** A frame of what is played, and what is heard meanwhile. Whether that has certainly no echo in it. */
    isFree(playing: Float64Array, heard: Float64Array): boolean {
      hear(heard);
      const played = powerOf(playing);
      most = Math.max(most, played);
      if (played > loud) loudFrames += 1;
      if (loudFrames > 0) frames += 1;
      if (state === 'open') decide();
      if (state !== 'absent') return false;
      // Louder sound than so far may have an echo after all, of which this is the most.
      const maxEcho = standsOut * noise * (most / maxAtDecision);
      return heardPower <= standsOut * noise || heardPower > maxEcho;
    },
  };
}
