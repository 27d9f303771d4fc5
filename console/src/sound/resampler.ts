/** How many zero crossings of the low pass lie on each side: enough that what is above half the lower rate is gone, in 2 ms of sound. */
const crossings = 16;
/** A little below half the lower rate, to leave room for the slope of the low pass. */
const passBand = 0.92;
/** Rates of sound cards have small ratios; of an odd one so many phases come near enough. */
const mostPhases = 1_024;

export interface Resampler {
  /** All samples that can be told by now; the rest comes with the next piece. */
  push(samples: Float32Array): Float32Array;
}

/** Turns sound of one rate into another as it streams: a windowed sinc, so that nothing above half the lower rate is folded into speech. */
export function createResampler({ fromHz, toHz }: { fromHz: number; toHz: number }): Resampler {
  if (fromHz === toHz) return { push: (samples) => samples.slice() };
  const { up, down } = ratioOf(fromHz, toHz);
  const half = Math.ceil(crossings * Math.max(1, fromHz / toHz));
  const table = createTable({ up, half, cutoff: passBand * Math.min(1, toHz / fromHz) });
  const taps = 2 * half;
  let kept = new Float32Array(half);
  /** Where the next sample lies in what is kept: whole samples, and a phase of `up`. */
  let at = half;
  let phase = 0;

  const sampleAt = (input: Float32Array): number => {
    const row = phase * taps;
    const first = at - half + 1;
    let sum = 0;
    for (let tap = 0; tap < taps; tap += 1) sum += (input[first + tap] ?? 0) * (table[row + tap] ?? 0);
    return sum;
  };

  return {
    push(samples) {
      const input = joined(kept, samples);
      const room = Math.max(0, Math.ceil(((input.length - half - at) * up - phase) / down));
      const out = new Float32Array(room);
      let made = 0;
      for (; at + half < input.length && made < room; made += 1) {
        out[made] = sampleAt(input);
        phase += down;
        at += Math.floor(phase / up);
        phase %= up;
      }
      const gone = Math.max(0, Math.min(at - half, input.length));
      kept = input.slice(gone);
      at -= gone;
      return made === room ? out : out.slice(0, made);
    },
  };
}

function ratioOf(fromHz: number, toHz: number): { up: number; down: number } {
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const up = toHz / divisor;
  if (up <= mostPhases) return { up, down: fromHz / divisor };
  return { up: mostPhases, down: Math.round((mostPhases * fromHz) / toHz) };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** One row of weights for each phase; every row adds up to 1, so that loudness is kept exactly. */
function createTable({ up, half, cutoff }: { up: number; half: number; cutoff: number }): Float32Array {
  const taps = 2 * half;
  const table = new Float32Array(up * taps);
  for (let phase = 0; phase < up; phase += 1) {
    const row = Array.from({ length: taps }, (_, tap) => {
      const distance = tap - half + 1 - phase / up;
      return sinc(distance * cutoff) * window(distance / half);
    });
    const sum = row.reduce((total, weight) => total + weight, 0);
    row.forEach((weight, tap) => {
      table[phase * taps + tap] = weight / sum;
    });
  }
  return table;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Blackman's: what it lets through beside the band is 74 dB below it. */
function window(x: number): number {
  if (Math.abs(x) >= 1) return 0;
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}

function joined(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const all = new Float32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
