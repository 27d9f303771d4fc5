import { powerOf } from './sound-power.ts';

/** Length of the compared sound, in samples: 300 ms. */
const compared = 4_800;
/** Maximum shift of a sound card's start since the last time: 60 ms. */
const maxLag = 960;
const inner = compared - 2 * maxLag;
/** The first, rough comparison uses every fourth sample. */
const every = 4;
/** Minimum similarity of an expected echo; the lower value holds while a person speaks over all of it. */
const alike = { alone: 0.8, spokenOver: 0.4 };
/** Minimum power (mean of squares) for a comparison. */
const minPower = 1e-7;
/** After this many samples (800 ms) it decides whether the echo path is unchanged. */
const decideAfter = 12_800;

/** Finds how much later than expected an echo comes, in samples. */
export function createEchoAlignment() {
  const captured = new Float64Array(compared);
  const expected = new Float64Array(compared);
  let looked = 0;
  let filled = 0;

  return {
    /** Returns the lag; null while it is unknown, `lost` if the expected echo does not come. */
    push(heardNow: Float64Array, expectedNow: Float64Array): number | 'lost' | null {
      append(captured, heardNow);
      append(expected, expectedNow);
      filled += heardNow.length;
      // Compares the middle of the expected sound with the heard sound around it.
      const middle = expected.subarray(maxLag, maxLag + inner);
      if (filled < compared / 2 || powerOf(middle) < minPower) return null;
      looked += heardNow.length;
      const { lag, likeness } = nearest(captured, middle);
      if (likeness >= alike.alone) return lag;
      if (looked < decideAfter) return null;
      return likeness >= alike.spokenOver ? lag : 'lost';
    },
  };
}

function nearest(captured: Float64Array, middle: Float64Array): { lag: number; likeness: number } {
  const rough = best(captured, middle, { from: -maxLag, to: maxLag, step: every });
  return best(captured, middle, {
    from: Math.max(-maxLag, rough.lag - every),
    to: Math.min(maxLag, rough.lag + every),
    step: 1,
  });
}

interface Lags {
  from: number;
  to: number;
  /** Distance between two lags, and between two compared samples. */
  step: number;
}

function best(captured: Float64Array, middle: Float64Array, { from, to, step }: Lags) {
  let found = { lag: 0, likeness: -1 };
  for (let lag = from; lag <= to; lag += step) {
    const likeness = likenessAt(captured, middle, { lag, step });
    if (likeness > found.likeness) found = { lag, likeness };
  }
  return found;
}

function likenessAt(
  captured: Float64Array,
  middle: Float64Array,
  { lag, step }: { lag: number; step: number },
): number {
  let [both, one, other] = [0, 1e-12, 1e-12];
  for (let n = 0; n < middle.length; n += step) {
    const a = captured[maxLag + lag + n] ?? 0;
    const b = middle[n] ?? 0;
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return both / Math.sqrt(one * other);
}

function append(past: Float64Array, samples: Float64Array): void {
  past.copyWithin(0, samples.length);
  past.set(samples, past.length - samples.length);
}
