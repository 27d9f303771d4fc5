// The page uses this in its audio thread too: don't depend on Node here.

export interface SampleRates {
  fromHz: number;
  toHz: number;
}

/** Converts one stream of sound to another rate. Samples may have any scale. */
export interface Resampler {
  /** Takes any number of samples; returns those that are final. */
  push(samples: Float32Array): Float32Array;
  /** Returns the rest. In total, exactly as much time comes out as went in. */
  end(): Float32Array;
}

/** Half width of the filter, in periods of the highest frequency that passes. More is steeper and slower. */
const swings = 24;
/** The filter's edge as a share of half the lower rate. At 16 kHz: 0 dB at 6.7 kHz, and -6 dB at 7.5. */
const rollOff = 0.94;
/** Kaiser's window: aliased frequencies are 80 dB down. */
const kaiserBeta = 8;
/**
 * Positions between two samples that have a separate filter. Common rates need up to 640; others use the
 * nearest position.
 */
const maxPhases = 1_024;

/**
 * Converts a stream's rate with a windowed sinc filter. It has one set of weights for each position that a
 * new sample can have between two old ones. Pieces of any size give the same result as the whole.
 */
export function createResampler({ fromHz, toHz }: SampleRates): Resampler {
  if (fromHz === toHz) return { push: (samples) => samples, end: () => new Float32Array(0) };
  const shared = greatestDivisor(fromHz, toHz);
  const [step, parts] = [fromHz / shared, toHz / shared];
  const filter = designFilter(Math.min(1, toHz / fromHz) * rollOff, Math.min(parts, maxPhases));
  const { half, phases } = filter;

  /** Old samples still needed; the stream starts after silence. */
  let held = new Float32Array(half);
  /** Position of the next new sample from the start of `held`: whole samples, and parts of one. */
  let at = half;
  let part = 0;

  /** All new samples before the given position whose neighbours are known. */
  function produce(before: number): Float32Array {
    const reach = Math.min(held.length - half, before);
    const most = Math.max(0, Math.ceil(((reach - at) * parts) / step) + 1);
    const made = new Float32Array(most);
    let count = 0;
    while (at < reach) {
      made[count] = weigh(held, at, { filter, phase: Math.round((part / parts) * phases) });
      count += 1;
      part += step;
      at += Math.floor(part / parts);
      part %= parts;
    }
    const done = Math.min(at - half, held.length);
    held = held.slice(done);
    at -= done;
    return made.subarray(0, count);
  }

  return {
    push(samples) {
      held = joined(held, samples);
      return produce(Number.POSITIVE_INFINITY);
    },
    end() {
      const before = held.length;
      held = joined(held, new Float32Array(half + 1));
      return produce(before);
    },
  };
}

/** The new sample at a position: the weighted sum of the old ones around it. */
function weigh(held: Float32Array, place: number, { filter, phase }: { filter: Filter; phase: number }) {
  const { half, weights } = filter;
  const first = place - half + 1;
  const row = phase * 2 * half;
  let sum = 0;
  for (let tap = 0; tap < 2 * half; tap += 1) sum += (held[first + tap] ?? 0) * (weights[row + tap] ?? 0);
  return sum;
}

function joined(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const all = new Float32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

type Filter = ReturnType<typeof designFilter>;

/** A row of weights for each phase: phase 0 lies on an old sample, the last one on the next. */
function designFilter(cutoff: number, phases: number) {
  const half = Math.ceil(swings / cutoff);
  const weights = new Float32Array((phases + 1) * 2 * half);
  const middle = bessel(kaiserBeta);
  for (let phase = 0; phase <= phases; phase += 1) {
    for (let tap = 0; tap < 2 * half; tap += 1) {
      const distance = tap - half + 1 - phase / phases;
      weights[phase * 2 * half + tap] = cutoff * sinc(cutoff * distance) * (kaiser(distance / half) / middle);
    }
  }
  return { half, phases, weights };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Kaiser's window from -1 to 1, not divided by its peak. */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x));
}

/** The modified Bessel function of the first kind, order 0, as a series. */
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
