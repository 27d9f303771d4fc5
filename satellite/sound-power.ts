/** The mean of squares. */
export function powerOf(sound: Float64Array): number {
  let sum = 0;
  for (const sample of sound) sum += sample * sample;
  return sum / sound.length;
}

/** Tracks the power of a continuing sound frame by frame. `follow`: weight of each new frame, from 0 to 1. */
export function createFollowedPower(follow: number) {
  let power = 0;
  return (frame: Float64Array): number => {
    power += follow * (powerOf(frame) - power);
    return power;
  };
}
