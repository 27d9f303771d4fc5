import { createFft, type Fft } from './fft.ts';
import { speechRateHz } from './speech-rate.ts';

/** The frequencies that a small loudspeaker can play. */
const band = { fromHz: 200, toHz: 5_500 };
/** Width of the bands that are equalized. Finer differences belong to the voice. */
const smoothHz = 300;

interface Likeness {
  /** Similarity from 0 to 1. */
  value: number;
  /** Position in the longer sound. */
  place: number;
}

interface Spectrum {
  re: Float64Array;
  im: Float64Array;
}

/**
 * Similarity of a sound to any stretch of a longer one: the highest correlation after both spectra are
 * equalized. A room and a loudspeaker change each frequency's level, but not this value. `size`: a power of
 * two, at least the length of both sounds together.
 */
export function createLikeness(size: number) {
  let fft: Fft | null = null;

  return (sound: Float64Array, longer: Float64Array): Likeness => {
    if (isSilent(sound) || isSilent(longer)) return { value: 0, place: 0 };
    fft ??= createFft(size);
    const re = new Float64Array(size);
    const im = new Float64Array(size);
    re.set(sound);
    im.set(longer);
    fft.transform(re, im, 'forward');
    const [first, second] = separate(re, im);
    whiten(first);
    whiten(second);
    const energy = (2 * energyOf(first)) / size;
    correlate(first, second, { re, im });
    fft.transform(re, im, 'backward');
    return best({
      correlation: re,
      longer: im,
      energy,
      length: sound.length,
      places: longer.length - sound.length,
    });
  };
}

/** Amplified silence resembles any sound, so it is excluded. Samples are 16-bit numbers. */
function isSilent(sound: Float64Array): boolean {
  let sum = 0;
  for (let at = 0; at < sound.length; at += 1) sum += (sound[at] ?? 0) ** 2;
  return sum < 4 * sound.length;
}

/** Splits the spectra of two sounds that were transformed as one complex signal. */
function separate(re: Float64Array, im: Float64Array): [Spectrum, Spectrum] {
  const size = re.length;
  const spectrum = () => ({ re: new Float64Array(size / 2), im: new Float64Array(size / 2) });
  const [first, second] = [spectrum(), spectrum()];
  for (let k = 1; k < size / 2; k += 1) {
    const [a, b, c, d] = [re[k] ?? 0, im[k] ?? 0, re[size - k] ?? 0, im[size - k] ?? 0];
    first.re[k] = (a + c) / 2;
    first.im[k] = (b - d) / 2;
    second.re[k] = (b + d) / 2;
    second.im[k] = (c - a) / 2;
  }
  return [first, second];
}

function energyOf({ re, im }: Spectrum): number {
  let sum = 0;
  for (let k = 0; k < re.length; k += 1) sum += (re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2;
  return sum;
}

function whiten(spectrum: Spectrum): void {
  const { re, im } = spectrum;
  const bins = re.length;
  const perBin = speechRateHz / 2 / bins;
  const reach = Math.max(1, Math.round(smoothHz / 2 / perBin));
  const sums = new Float64Array(bins + 1);
  for (let k = 0; k < bins; k += 1) sums[k + 1] = (sums[k] ?? 0) + (re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2;
  const floor = (1e-4 * (sums[bins] ?? 0)) / bins;
  for (let k = 0; k < bins; k += 1) {
    const [from, to] = [Math.max(0, k - reach), Math.min(bins, k + reach + 1)];
    const around = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    const isWithin = k * perBin >= band.fromHz && k * perBin <= band.toHz;
    const gain = isWithin ? 1 / Math.sqrt(around + floor + 1) : 0;
    re[k] = (re[k] ?? 0) * gain;
    im[k] = (im[k] ?? 0) * gain;
  }
}

/** Prepares the inverse transform: it yields the correlation as `re` and the second sound as `im`. */
function correlate(first: Spectrum, second: Spectrum, { re, im }: Spectrum): void {
  const size = re.length;
  re.fill(0);
  im.fill(0);
  for (let k = 1; k < size / 2; k += 1) {
    const [fr, fi] = [first.re[k] ?? 0, first.im[k] ?? 0];
    const [sr, si] = [second.re[k] ?? 0, second.im[k] ?? 0];
    const [cr, ci] = [sr * fr + si * fi, si * fr - sr * fi];
    re[k] = cr - si;
    im[k] = ci + sr;
    re[size - k] = cr + si;
    im[size - k] = sr - ci;
  }
}

interface Correlated {
  correlation: Float64Array;
  longer: Float64Array;
  energy: number;
  length: number;
  places: number;
}

/** Nearly silent stretches resemble any sound, so their level has a lower limit. */
const minShare = 0.05;
/**
 * Single clicks, as when a sound breaks off, do too. Only sound spread over this share of a stretch counts; a
 * voice spreads over 5 to 30%.
 */
const minSpread = 0.02;

function best({ correlation, longer, energy, length, places }: Correlated): Likeness {
  const scale = 1 / correlation.length;
  const { energies, fourths } = stretchesOf(longer, { scale, length, places });
  const maxEnergy = energies.reduce((max, each) => Math.max(max, each), 0);
  let found: Likeness = { value: 0, place: 0 };
  for (const [place, there] of energies.entries()) {
    if (there ** 2 < minSpread * length * (fourths[place] ?? 0)) continue;
    const together = energy * (there + minShare * maxEnergy);
    const value = Math.abs((correlation[place] ?? 0) * scale) / Math.sqrt(together);
    if (value > found.value) found = { value: Math.min(1, value), place };
  }
  return found;
}

interface StretchOptions {
  scale: number;
  length: number;
  places: number;
}

/** For each stretch of a sound, the sums of its second and fourth powers. */
function stretchesOf(sound: Float64Array, { scale, length, places }: StretchOptions) {
  const [energies, fourths] = [new Float64Array(places + 1), new Float64Array(places + 1)];
  let energy = 0;
  let fourth = 0;
  for (let at = 0; at < length + places; at += 1) {
    const come = ((sound[at] ?? 0) * scale) ** 2;
    const gone = at < length ? 0 : ((sound[at - length] ?? 0) * scale) ** 2;
    energy += come - gone;
    fourth += come * come - gone * gone;
    if (at < length - 1) continue;
    energies[at - length + 1] = Math.max(0, energy);
    fourths[at - length + 1] = Math.max(0, fourth);
  }
  return { energies, fourths };
}
