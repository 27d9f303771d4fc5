// The page runs this in its sound thread too: nothing here may need Node.

export interface Rates {
  fromHz: number;
  toHz: number;
}

/** One stream of sound on its way to another rate. Samples may be of any scale. */
export interface Resampler {
  /** Takes the next samples, however many; returns those that are certain by now. */
  push(samples: Float32Array): Float32Array;
  /** The rest. In all, exactly as much time comes out as went in. */
  end(): Float32Array;
}

/**
 * How far the filter looks to each side, in swings of the highest tone that it lets pass. More is steeper and
 * slower.
 */
const swings = 24;
/**
 * The edge lies this far below half the lower rate, so that what is above has faded out by there: at 16 kHz,
 * 0 dB at 6.7 kHz, -6 dB at 7.5.
 */
const rollOff = 0.94;
/** Kaiser's window: tones that do not belong are 80 dB down. */
const kaiserBeta = 8;
/**
 * Places between two samples that have a filter of their own. Common rates need up to 640; odd ones take the
 * nearest place.
 */
const maxPhases = 1_024;

/**
 * Changes the rate of a stream by a windowed sinc filter, one set of weights for each place that a new sample
 * can have between two old ones. Pieces of any size give the same sound as the whole at once.
 */
export function createResampler({ fromHz, toHz }: Rates): Resampler {
  if (fromHz === toHz) return { push: (samples) => samples, end: () => new Float32Array(0) };
  const shared = greatestDivisor(fromHz, toHz);
  const [step, parts] = [fromHz / shared, toHz / shared];
  const filter = designFilter(Math.min(1, toHz / fromHz) * rollOff, Math.min(parts, maxPhases));
  const { half, phases } = filter;

  /** Old samples still needed; there is silence before the first. */
  let held = new Float32Array(half);
  /** Where the next new sample lies, counted from the start of `held`: whole samples, and parts of one. */
  let at = half;
  let part = 0;

  /** All new samples whose surroundings are known, and which lie before the given place. */
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

/** The new sample at a place: the old ones round it, each by its weight. */
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

/** Kaiser's window from -1 to 1, not yet divided by its height in the middle. */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x));
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
