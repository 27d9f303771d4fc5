import { createRealTransform, emptySpectrum, type Spectrum } from './real-transform.ts';

/** Length of sound processed at a time: 10 ms. */
export const hopSamples = 160;
const size = 512;
const bins = size / 2 + 1;
/** Modelled length of the room: 200 ms from the first echo; the remainder is 40 dB softer. */
const parts = 20;
/** Share of the estimate that stays valid per hop, because rooms change slowly. */
const staysTrue = 0.9998;
/**
 * The initial estimate assumes only that rooms fade by 1.5 dB in 10 ms. It reaches 25 dB of echo reduction
 * within one second.
 */
const unknown = 0.3;
const fades = 10 ** -0.15;
/** The first parts start equally loud, because the first echo may be in any of them. */
const loudParts = 2;
/** Share of each new hop in the estimate of the residual's power. */
const follow = 0.1;
/** Number of parts truncated per hop; truncating all would cost too much. */
const shortenedAtOnce = 2;

/**
 * Learns the echo path from loudspeaker to microphone and subtracts the echo. It is a partitioned Kalman
 * filter in the frequency domain (Enzner and Vary 2006, Kuech et al. 2014). It only subtracts, so speech over
 * the echo stays intact, and it learns less during that speech.
 */
export function createEchoFilter() {
  const transform = createRealTransform(size);
  const sound = new Float64Array(size);
  const work = new Float64Array(size);
  const echo = emptySpectrum(size);
  const left = emptySpectrum(size);
  const leftPower = new Float64Array(bins).fill(1e-3);
  const gain = new Float64Array(bins);
  const ways = Array.from({ length: parts }, (_, part) => ({
    ...emptySpectrum(size),
    doubt: new Float64Array(bins).fill(unknownIn(part)),
  }));
  let played = Array.from({ length: parts }, () => emptySpectrum(size));
  let next = 0;

  const shift = (samples: Float64Array): void => {
    sound.copyWithin(0, hopSamples);
    sound.set(samples, size - hopSamples);
    const oldest = played.at(-1) ?? emptySpectrum(size);
    transform.forward(sound, oldest);
    played = [oldest, ...played.slice(0, -1)];
  };
  const each = (use: (way: (typeof ways)[number], sent: Spectrum) => void): void => {
    for (const [at, way] of ways.entries()) use(way, played[at] ?? echo);
  };

  const shorten = (way: Spectrum): void => {
    transform.backward(way, work);
    work.fill(0, hopSamples);
    transform.forward(work, way);
  };

  const learnFrom = (cleaned: Float64Array): void => {
    work.fill(0);
    work.set(cleaned, size - hopSamples);
    transform.forward(work, left);
    gain.fill(0);
    each(({ doubt }, sent) => addDoubt(gain, doubt, sent));
    toGain(gain, leftPower, left);
    each((way, sent) => learn(way, { sent, left, gain }));
    for (let n = 0; n < shortenedAtOnce; n += 1) {
      next = (next + 1) % parts;
      shorten(ways[next] ?? echo);
    }
  };

  return {
    /**
     * Returns 10 ms of microphone sound without the echo of the playback. It learns from them unless `learns`
     * is false.
     */
    clean(playing: Float64Array, captured: Float64Array, learns = true): Float64Array {
      shift(playing);
      echo.re.fill(0);
      echo.im.fill(0);
      each((way, sent) => addProduct(echo, way, sent));
      transform.backward(echo, work);
      const cleaned = captured.map((sample, n) => sample - (work[size - hopSamples + n] ?? 0));
      if (learns) learnFrom(cleaned);
      return cleaned;
    },
    /** Resets the confidence after the echo path may have changed. */
    doubt(): void {
      for (const [part, { doubt }] of ways.entries()) doubt.fill(unknownIn(part));
    },
  };
}

const unknownIn = (part: number): number => unknown * fades ** Math.max(0, part - loudParts + 1);

function addProduct(sum: Spectrum, a: Spectrum, b: Spectrum): void {
  for (let k = 0; k < bins; k += 1) {
    const aRe = a.re[k] ?? 0;
    const aIm = a.im[k] ?? 0;
    const bRe = b.re[k] ?? 0;
    const bIm = b.im[k] ?? 0;
    sum.re[k] = (sum.re[k] ?? 0) + aRe * bRe - aIm * bIm;
    sum.im[k] = (sum.im[k] ?? 0) + aRe * bIm + aIm * bRe;
  }
}

/** Adds the part of the residual that an unknown echo path may explain. */
function addDoubt(sum: Float64Array, doubt: Float64Array, { re, im }: Spectrum): void {
  for (let k = 0; k < bins; k += 1)
    sum[k] = (sum[k] ?? 0) + (doubt[k] ?? 0) * ((re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2);
}

/** Turns that sum and the residual's power into the step size of each frequency. */
function toGain(gain: Float64Array, leftPower: Float64Array, { re, im }: Spectrum): void {
  for (let k = 0; k < bins; k += 1) {
    const power = (re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2;
    leftPower[k] = (1 - follow) * (leftPower[k] ?? 0) + follow * power;
    gain[k] = 1 / ((gain[k] ?? 0) + ((leftPower[k] ?? 0) * size) / hopSamples + 1e-9);
  }
}

interface Lesson {
  sent: Spectrum;
  left: Spectrum;
  gain: Float64Array;
}

function learn(way: Spectrum & { doubt: Float64Array }, { sent, left, gain }: Lesson): void {
  for (let k = 0; k < bins; k += 1) {
    const sRe = sent.re[k] ?? 0;
    const sIm = sent.im[k] ?? 0;
    const lRe = left.re[k] ?? 0;
    const lIm = left.im[k] ?? 0;
    const doubt = way.doubt[k] ?? 0;
    const step = doubt * (gain[k] ?? 0);
    const re = staysTrue * ((way.re[k] ?? 0) + step * (sRe * lRe + sIm * lIm));
    const im = staysTrue * ((way.im[k] ?? 0) + step * (sRe * lIm - sIm * lRe));
    way.re[k] = re;
    way.im[k] = im;
    const learnt = (hopSamples / size) * step * (sRe * sRe + sIm * sIm);
    way.doubt[k] = staysTrue ** 2 * (1 - learnt) * doubt + (1 - staysTrue ** 2) * (re * re + im * im);
  }
}
