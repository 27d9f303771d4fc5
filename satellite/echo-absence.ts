import { createFollowedPower, powerOf } from './sound-power.ts';

/** Playback of this power (mean of squares) is loud enough to return as an echo: -46 dB. */
const loud = 2.5e-5;
/** Minimum number of loud frames (20 ms each) before a decision: half a second. */
const minLoudFrames = 25;
/** Frames to wait for an echo: up to 600 ms of delay, plus 200 ms to hear it. */
const lateFrames = 40;
/** Sound less than 6 dB above the room's noise does not count as speech, so its echo may stay. */
const standsOut = 4;
/** The noise estimate rises no faster than this per frame, so that speech does not raise it. */
const noiseRises = 1.01;
const minNoise = 1e-8;
/** Number of frames before the room's noise is known. */
const knownAfterFrames = 50;
/** Share of each new frame in the power estimate. */
const follow = 0.5;

/**
 * Detects playback without an echo: headphones, another room, or a card that cancels the echo itself. In
 * these cases nothing has to wait until the echo path is known.
 */
export function createEchoAbsence() {
  let [noise, quietFrames] = [Number.POSITIVE_INFINITY, 0];
  let [heardPower, loudFrames, frames, most, maxAtDecision] = [0, 0, 0, 0, 0];
  const followed = createFollowedPower(follow);
  let state: 'open' | 'absent' | 'there' = 'open';

  const hear = (captured: Float64Array): void => {
    heardPower = followed(captured);
  };
  const decide = (): void => {
    if (quietFrames < knownAfterFrames || heardPower > standsOut * noise) state = 'there';
    else if (loudFrames >= minLoudFrames && frames >= lateFrames) [state, maxAtDecision] = ['absent', most];
  };

  return {
    /** Takes a microphone frame while nothing plays. */
    quiet(captured: Float64Array): void {
      hear(captured);
      quietFrames += 1;
      noise = Math.max(minNoise, Math.min(heardPower, noise * noiseRises));
    },
    /** Starts a new playback after silence. */
    begin(): void {
      [loudFrames, frames, most, state] = [0, 0, 0, 'open'];
    },
    /** Takes a played and a heard frame. Returns true if the heard frame certainly has no echo. */
    isFree(playing: Float64Array, captured: Float64Array): boolean {
      hear(captured);
      const played = powerOf(playing);
      most = Math.max(most, played);
      if (played > loud) loudFrames += 1;
      if (loudFrames > 0) frames += 1;
      if (state === 'open') decide();
      if (state !== 'absent') return false;
      // Louder playback than before may have an echo after all; this is its maximum power.
      const maxEcho = standsOut * noise * (most / maxAtDecision);
      return heardPower <= standsOut * noise || heardPower > maxEcho;
    },
  };
}
