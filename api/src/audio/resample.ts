import { setImmediate as nextRound } from 'node:timers/promises';
import { bytesPerSample, type Pcm, toBytes, toNumbers } from './pcm.ts';
import { clamp16 } from './sample-coding.ts';

export interface ResamplerOptions {
  fromHz: number;
  toHz: number;
}

/** One stream of sound on its way to another rate. */
export interface Resampler {
  /** Takes the next samples, however many; returns those that are certain by now. */
  push(samples: Buffer): Buffer;
  /** What is still inside. In all there is exactly as much time as came in. */
  end(): Buffer;
}

/** How far the filter looks to each side, in swings of the highest tone that it lets pass. More is steeper and slower. */
const swings = 24;
/** The edge lies this far below half the lower rate, so that what is above has faded out by there: at 16 kHz, 0 dB at 6.7 kHz, -6 dB at 7.5. */
const rollOff = 0.94;
/** Kaiser's window: tones that do not belong are 80 dB down. */
const kaiserBeta = 8;
/** Places between two samples that have a filter of their own. Common rates need up to 640; odd ones take the nearest place. */
const mostPhases = 1_024;

/**
 * Changes the rate of a stream by a windowed sinc filter, one set of weights for each place that a new sample can have between two old ones.
 * Pieces of any size give the same sound as the whole at once.
 */
export function createResampler({ fromHz, toHz }: ResamplerOptions): Resampler {
  if (fromHz === toHz) return { push: (samples) => samples, end: () => Buffer.alloc(0) };
  const shared = greatestDivisor(fromHz, toHz);
  const [step, parts] = [fromHz / shared, toHz / shared];
  const filter = designFilter(Math.min(1, toHz / fromHz) * rollOff, Math.min(parts, mostPhases));
  const { half, phases, weights } = filter;

  /** Old samples still needed; there is silence before the first. */
  let held = new Float32Array(half);
  /** Where the next new sample lies, counted from the start of `held`: whole samples, and parts of one. */
  let at = half;
  let part = 0;

  /** All new samples whose surroundings are known, and which lie before the given place. */
  function produce(before: number): Buffer {
    const reach = Math.min(held.length - half, before);
    const most = Math.max(0, Math.ceil(((reach - at) * parts) / step) + 1);
    const made = new Int16Array(most);
    let count = 0;
    while (at < reach) {
      made[count] = clamp16(weigh(at, Math.round((part / parts) * phases)));
      count += 1;
      part += step;
      at += Math.floor(part / parts);
      part %= parts;
    }
    const done = Math.min(at - half, held.length);
    held = held.slice(done);
    at -= done;
    return toBytes(made.subarray(0, count));
  }

  function weigh(place: number, phase: number): number {
    const first = place - half + 1;
    const row = phase * 2 * half;
    let sum = 0;
    for (let tap = 0; tap < 2 * half; tap += 1) sum += (held[first + tap] ?? 0) * (weights[row + tap] ?? 0);
    return sum;
  }

  function take(samples: Int16Array): void {
    const longer = new Float32Array(held.length + samples.length);
    longer.set(held);
    longer.set(samples, held.length);
    held = longer;
  }

  return {
    push(samples) {
      take(toNumbers(samples));
      return produce(Number.POSITIVE_INFINITY);
    },
    end() {
      const before = held.length;
      take(new Int16Array(half + 1));
      return produce(before);
    },
  };
}

/** A row of weights for each phase: phase 0 lies on an old sample, the last one on the next. */
function designFilter(cutoff: number, phases: number) {
  const half = Math.ceil(swings / cutoff);
  const weights = new Float32Array((phases + 1) * 2 * half);
  for (let phase = 0; phase <= phases; phase += 1) {
    for (let tap = 0; tap < 2 * half; tap += 1) {
      const distance = tap - half + 1 - phase / phases;
      weights[phase * 2 * half + tap] = cutoff * sinc(cutoff * distance) * kaiser(distance / half);
    }
  }
  return { half, phases, weights };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Kaiser's window from -1 to 1. */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x)) / bessel(kaiserBeta);
}

/** The modified Bessel function of the first kind and order 0, by its series. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > sum * 1e-9; n += 1) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** A whole sound at another rate. */
export async function resample(sound: Pcm, rateHz: number): Promise<Pcm> {
  if (sound.sampleRateHz === rateHz) return sound;
  const pieceBytes = Math.ceil(sound.sampleRateHz / 2) * bytesPerSample;
  function* pieces() {
    for (let at = 0; at < sound.samples.length; at += pieceBytes) {
      yield sound.samples.subarray(at, at + pieceBytes);
    }
  }
  return resamplePieces(pieces(), { fromHz: sound.sampleRateHz, toHz: rateHz });
}

/** The same of a sound in pieces. Between two of them the process can do other things, so each should be a second at most. */
export async function resamplePieces(pieces: Iterable<Buffer>, rates: ResamplerOptions): Promise<Pcm> {
  const resampler = createResampler(rates);
  const done: Buffer[] = [];
  for (const piece of pieces) {
    if (done.length > 0) await nextRound();
    done.push(resampler.push(piece));
  }
  done.push(resampler.end());
  return { sampleRateHz: rates.toHz, samples: Buffer.concat(done) };
}
