import { powerOf } from './sound-power.ts';

/** Sound that is compared: 300 ms. */
const compared = 4_800;
/** A sound card begins so much sooner or later than the last time at most: 60 ms. */
const most = 960;
const inner = compared - 2 * most;
/** Compared roughly first, at every fourth sample. */
const every = 4;
/** An echo that was expected is this alike; with somebody who speaks over it for all the time, at least so. */
const alike = { alone: 0.8, spokenOver: 0.4 };
/** Softer than this, in the mean of squares, there is nothing to compare. */
const leastPower = 1e-7;
/** After so many samples of it (800 ms) it is time to decide: it is that echo, or the way is another one. */
const decideAfter = 12_800;

/** Finds how much later, in samples, an echo comes than was expected. */
export function createEchoAlignment() {
  const heard = new Float64Array(compared);
  const expected = new Float64Array(compared);
  let looked = 0;
  let filled = 0;

  return {
    /** Null: not known yet. `lost`: nothing like what was expected comes. */
    push(heardNow: Float64Array, expectedNow: Float64Array): number | 'lost' | null {
      append(heard, heardNow);
      append(expected, expectedNow);
      filled += heardNow.length;
      // The middle of the expected sound is compared, with what was heard around it.
      const middle = expected.subarray(most, most + inner);
      if (filled < compared / 2 || powerOf(middle) < leastPower) return null;
      looked += heardNow.length;
      const { lag, likeness } = nearest(heard, middle);
      if (likeness >= alike.alone) return lag;
      if (looked < decideAfter) return null;
      return likeness >= alike.spokenOver ? lag : 'lost';
    },
  };
}

function nearest(heard: Float64Array, middle: Float64Array): { lag: number; likeness: number } {
  const rough = best(heard, middle, { from: -most, to: most, step: every });
  return best(heard, middle, {
    from: Math.max(-most, rough.lag - every),
    to: Math.min(most, rough.lag + every),
    step: 1,
  });
}

interface Lags {
  from: number;
  to: number;
  /** Between two lags, and two samples that are compared. */
  step: number;
}

function best(heard: Float64Array, middle: Float64Array, { from, to, step }: Lags) {
  let found = { lag: 0, likeness: -1 };
  for (let lag = from; lag <= to; lag += step) {
    const likeness = likenessAt(heard, middle, { lag, step });
    if (likeness > found.likeness) found = { lag, likeness };
  }
  return found;
}

function likenessAt(
  heard: Float64Array,
  middle: Float64Array,
  { lag, step }: { lag: number; step: number },
): number {
  let [both, one, other] = [0, 1e-12, 1e-12];
  for (let n = 0; n < middle.length; n += step) {
    const a = heard[most + lag + n] ?? 0;
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
