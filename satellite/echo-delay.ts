import { createRealTransform, emptySpectrum, type Spectrum } from './real-transform.ts';

/** The comparison runs at 4 kHz: voices are loudest below 2 kHz, and 0.25 ms is exact enough. */
const every = 4;
/** Longest compared sound (1 s), padded with the same length of silence. */
const compared = 4_096;
const size = 2 * compared;
const bins = size / 2 + 1;
/** Longest delay: 600 ms. */
const longest = 2_400;
/** Interval between two searches, in samples of 16 kHz: half a second. */
const lookEvery = 8_000;
/** Weight that earlier results keep. */
const keeps = 0.6;
/** Minimum ratio between an echo's peak and the mean. */
const standsOut = 9;
/** Two results this close, in samples of 4 kHz, are no coincidence. */
const sameWithin = 8;

/**
 * Measures how much later the microphone hears the playback, in samples of 16 kHz. The method is generalised
 * cross correlation with phase transform: all frequencies count the same.
 */
export function createEchoDelay() {
  const transform = createRealTransform(size);
  const [played, captured] = [createPast(), createPast()];
  const [x, y, cross] = [emptySpectrum(size), emptySpectrum(size), emptySpectrum(size)];
  const likeness = new Float64Array(size);
  let since = 0;
  let before = -1;

  const look = (): number | null => {
    transform.forward(played.within(size), x);
    transform.forward(captured.within(size), y);
    addCross(cross, x, y);
    transform.backward(cross, likeness);
    const { place, ratio } = highest(likeness.subarray(0, longest));
    if (ratio < standsOut) return null;
    const isAgain = Math.abs(place - before) <= sameWithin;
    before = place;
    return isAgain ? place * every : null;
  };

  return {
    /**
     * Takes two sounds of the same length. Returns the delay, or null if no search ran or its result is
     * uncertain.
     */
    push(playing: Float64Array, heardNow: Float64Array): number | null {
      played.push(playing);
      captured.push(heardNow);
      since += playing.length;
      if (since < lookEvery) return null;
      since = 0;
      return look();
    },
  };
}

/** Adds the phase correlation at each frequency to the decayed earlier results. */
function addCross(cross: Spectrum, x: Spectrum, y: Spectrum): void {
  for (let k = 0; k < bins; k += 1) {
    const xRe = x.re[k] ?? 0;
    const xIm = x.im[k] ?? 0;
    const yRe = y.re[k] ?? 0;
    const yIm = y.im[k] ?? 0;
    const re = xRe * yRe + xIm * yIm;
    const im = xRe * yIm - xIm * yRe;
    const height = Math.hypot(re, im) + 1e-12;
    cross.re[k] = keeps * (cross.re[k] ?? 0) + re / height;
    cross.im[k] = keeps * (cross.im[k] ?? 0) + im / height;
  }
}

function highest(values: Float64Array): { place: number; ratio: number } {
  let [place, sum] = [0, 0];
  for (const [at, value] of values.entries()) {
    sum += Math.abs(value);
    if (value > (values[place] ?? 0)) place = at;
  }
  return { place, ratio: (values[place] ?? 0) / (sum / values.length + 1e-12) };
}

/** Keeps the last second of a sound, at 4 kHz. */
function createPast() {
  const past = new Float64Array(size);
  let sum = 0;
  let taken = 0;
  return {
    push(samples: Float64Array): void {
      past.copyWithin(0, Math.floor(samples.length / every), compared);
      let at = compared - Math.floor(samples.length / every);
      for (const sample of samples) {
        sum += sample;
        taken += 1;
        if (taken < every) continue;
        past[at] = sum / every;
        at += 1;
        [sum, taken] = [0, 0];
      }
    },
    /** Returns the sound with silence after it. */
    within: (length: number): Float64Array => past.subarray(0, length),
  };
}
