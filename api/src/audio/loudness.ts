import { type Pcm, toBytes, toNumbers } from './pcm.ts';

/** Loudness measurement of ITU-R BS.1770-5, for one channel. */
const blockMs = 400;
const stepMs = 100;
/** LUFS; quieter blocks are silence. */
const absoluteGate = -70;
/** LU; blocks this far below the mean of all audible ones are pauses. */
const relativeGate = -10;
/** LUFS of a signal whose weighted power is full scale. */
const offset = -0.691;
const fullScale = 32_768;

/**
 * Target for all speech, in LUFS: the lowest that AES TD1004 (2015) allows for streams. Peaks rarely need
 * limiting.
 */
const target = -20;
/** Maximum sample as a share of full scale: -3 dB. Above it, small speakers rattle and encoders clip. */
const most = 10 ** (-3 / 20);
/** The limiter acts this long before and after a peak, too gently to be audible. */
const giveWayMs = 5;
/** An inaudible difference in dB. */
const negligible = 0.3;
/** Barely audible sound is noise and stays quiet. */
const maxGain = 10;

/**
 * Brings speech to the same loudness for every length and voice. Piper scales each sentence to full scale,
 * which makes a short "Four." 8 dB louder than a long answer. Limits peaks to -3 dB.
 */
export function leveled(sound: Pcm): Pcm {
  const loudness = loudnessOf(sound);
  if (loudness === null) return sound;
  const once = raised(sound, target - loudness);
  // The limiter took some loudness away; add it once more.
  const missing = target - (loudnessOf(once) ?? target);
  return missing > negligible ? raised(sound, target - loudness + missing) : once;
}

/**
 * Amplifies the sound and limits its peaks. Plain loops: a person waits while each sentence passes through
 * here.
 */
function raised({ sampleRateHz, samples }: Pcm, db: number): Pcm {
  const gain = Math.min(10 ** (db / 20), maxGain);
  const numbers = toNumbers(samples);
  const shares = peakShares(numbers, { gain, reach: Math.round((giveWayMs * sampleRateHz) / 1_000) });
  const louder = new Int16Array(numbers.length);
  for (let at = 0; at < numbers.length; at += 1)
    louder[at] = Math.round((numbers[at] ?? 0) * gain * (shares?.[at] ?? 1));
  return { sampleRateHz, samples: toBytes(louder) };
}

/**
 * The gain of each sample that limits the peaks. A peak also lowers the samples within `reach` around it, in
 * a slope. Null: there is no peak.
 */
function peakShares(
  numbers: Int16Array,
  { gain, reach }: { gain: number; reach: number },
): Float64Array | null {
  const allowed = (most * fullScale) / gain;
  // Beyond the ends the gain is 1.
  const shares = new Float64Array(numbers.length + 4 * reach).fill(1);
  let hasPeak = false;
  for (let at = 0; at < numbers.length; at += 1) {
    const size = Math.abs(numbers[at] ?? 0);
    if (size <= allowed) continue;
    shares[at + 2 * reach] = allowed / size;
    hasPeak = true;
  }
  return hasPeak ? meanOver(lowestOver(shares, 2 * reach + 1), 2 * reach + 1) : null;
}

/**
 * The minimum of each `count` consecutive values, in linear time (D. Lemire, Streaming maximum-minimum
 * filter, 2006).
 */
function lowestOver(values: Float64Array, count: number): Float64Array {
  const lowest = new Float64Array(values.length - count + 1);
  /** Indexes of values that may still be the minimum; their values rise. */
  const places = new Int32Array(values.length);
  let [first, end] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 1;
    while (end > first && (values[places[end - 1] ?? 0] ?? 1) >= value) end -= 1;
    places[end] = at;
    end += 1;
    if ((places[first] ?? 0) <= at - count) first += 1;
    if (at >= count - 1) lowest[at - count + 1] = values[places[first] ?? 0] ?? 1;
  }
  return lowest;
}

/** The mean of each `count` consecutive values. */
function meanOver(values: Float64Array, count: number): Float64Array {
  const means = new Float64Array(values.length - count + 1);
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    sum += values[at] ?? 1;
    if (at < count - 1) continue;
    means[at - count + 1] = sum / count;
    sum -= values[at - count + 1] ?? 1;
  }
  return means;
}

/**
 * The loudness of a whole sound in LUFS without pauses; null: it is silent. A sound shorter than a block is
 * one block.
 */
export function loudnessOf({ sampleRateHz, samples }: Pcm): number | null {
  const powers = blockPowers(weighted(toNumbers(samples), sampleRateHz), sampleRateHz);
  const audible = powers.filter((power) => lufs(power) > absoluteGate);
  if (audible.length === 0) return null;
  const gate = lufs(mean(audible)) + relativeGate;
  return lufs(mean(audible.filter((power) => lufs(power) > gate)));
}

const lufs = (power: number): number => offset + 10 * Math.log10(power);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean power of each block; blocks overlap. */
function blockPowers(samples: Float64Array, sampleRateHz: number): number[] {
  const length = Math.min(samples.length, Math.round((blockMs * sampleRateHz) / 1_000));
  const step = Math.round((stepMs * sampleRateHz) / 1_000);
  const powers: number[] = [];
  for (let from = 0; length > 0 && from + length <= samples.length; from += step) {
    let sum = 0;
    for (let at = from; at < from + length; at += 1) sum += (samples[at] ?? 0) ** 2;
    powers.push(sum / length / fullScale ** 2);
  }
  return powers;
}

interface Filter {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

/** The samples with the frequency weighting of the ear. */
function weighted(numbers: Int16Array, sampleRateHz: number): Float64Array {
  const samples = new Float64Array(numbers);
  for (const filter of [headCache(sampleRateHz), lowCut(sampleRateHz)]) run(filter, samples);
  return samples;
}

function run({ b: [b0, b1, b2], a: [a1, a2] }: Filter, samples: Float64Array): void {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const x = samples[at] ?? 0;
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    samples[at] = y;
  }
}

/**
 * The two filters of BS.1770, which gives their coefficients for 48 kHz only. The analogue filters, and so
 * the coefficients for other rates, come from B. De Man, Evaluation of implementations of the EBU R128
 * loudness measurement, AES convention 145 (2018).
 */
function headCache(sampleRateHz: number): Filter {
  const [hz, q, gain] = [1681.974450955533, 0.7071752369554196, 10 ** (3.999843853973347 / 20)];
  const k = Math.tan((Math.PI * hz) / sampleRateHz);
  const middle = gain ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b: [
      (gain + (middle * k) / q + k * k) / a0,
      (2 * (k * k - gain)) / a0,
      (gain - (middle * k) / q + k * k) / a0,
    ],
    a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  };
}

function lowCut(sampleRateHz: number): Filter {
  const [hz, q] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * hz) / sampleRateHz);
  const a0 = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] };
}
