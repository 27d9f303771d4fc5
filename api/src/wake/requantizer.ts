import { int32Of, type OperatorParts, quantizationOf, refuse, scaleOf, slotAt } from './model-parts.ts';

export interface RequantizerOptions {
  channels: number;
  /** The number of the activation that follows within the operator. */
  activation: number;
  /**
   * Where a half goes: away from 0, or up. TensorFlow Lite does the first, except in depthwise convolutions, where it takes eight channels at a
   * time up; those that are left over go away from 0 there too.
   */
  ties: 'away' | 'up';
}

/** Writes one result for each channel, from a place on: the sums of its products as numbers of 8 bits. */
export type Requantizer = (sums: Float64Array | Int32Array, results: Int8Array, at: number) => void;

/**
 * Brings sums back to the scale of a result. TensorFlow Lite multiplies with a fraction of 31 bits, rounds, shifts, and rounds again; so does this,
 * to get the same number every time.
 */
export function createRequantizer(parts: OperatorParts, options: RequantizerOptions): Requantizer {
  const { channels, activation, ties } = options;
  const output = slotAt(parts.outputs, 0);
  const bias = parts.inputs[2] ? int32Of(parts.inputs[2]) : new Int32Array(channels);
  if (bias.length !== channels) refuse('it is damaged: channels without a bias');
  const { zeroPoint } = quantizationOf(output);
  const { low, high } = activationRange(activation, { scale: scaleOf(output), zeroPoint });
  const { factors, shifts } = factorsOf(parts, channels);
  const halves = shifts.map((shift) => (shift > 0 ? 1 << (shift - 1) : 0));
  /** What a half below 0 lacks to be rounded up. */
  const upwards = ties === 'up' ? channels - (channels % 8) : 0;
  const lacking = shifts.map((shift, channel) => (channel >= upwards && shift > 0 ? 1 : 0));

  return (sums, results, at) => {
    for (let channel = 0; channel < channels; channel += 1) {
      const sum = (sums[channel] ?? 0) + (bias[channel] ?? 0);
      const product = Math.floor(sum * (factors[channel] ?? 0) + 0.5);
      const half = (halves[channel] ?? 0) - (product < 0 ? (lacking[channel] ?? 0) : 0);
      const result = ((product + half) >> (shifts[channel] ?? 0)) + zeroPoint;
      results[at + channel] = Math.max(low, Math.min(high, result));
    }
  };
}

/** What the sums of each channel are multiplied with, before the shift to the right. */
function factorsOf(parts: OperatorParts, channels: number) {
  const { scales } = quantizationOf(slotAt(parts.inputs, 1));
  if (scales.length !== 1 && scales.length !== channels) refuse('it is damaged: channels without a scale');
  const ratio = scaleOf(slotAt(parts.inputs, 0)) / scaleOf(slotAt(parts.outputs, 0));
  const factors = new Float64Array(channels);
  const shifts = new Int32Array(channels);
  for (let channel = 0; channel < channels; channel += 1) {
    const scale = ratio * (scales[scales.length === 1 ? 0 : channel] ?? 0);
    const power = Math.floor(Math.log2(scale)) + 1;
    if (power < -30 || power > 20) refuse('it is damaged: its scales do not fit each other');
    const fraction = Math.round((scale / 2 ** power) * 2 ** 31) / 2 ** 31;
    factors[channel] = fraction * 2 ** Math.max(0, power);
    shifts[channel] = Math.max(0, -power);
  }
  return { factors, shifts };
}

/** The lowest and highest result that an activation leaves, by its number in the file. */
function activationRange(activation: number, { scale, zeroPoint }: { scale: number; zeroPoint: number }) {
  const ranges: Readonly<Record<number, readonly [low: number, high: number]>> = {
    0: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    1: [0, Number.POSITIVE_INFINITY],
    2: [-1, 1],
    3: [0, 6],
  };
  const [low, high] =
    ranges[activation] ?? refuse(`it uses an activation that Hearth does not know (${activation})`);
  return {
    low: Math.max(-128, Math.round(low / scale) + zeroPoint),
    high: Math.min(127, Math.round(high / scale) + zeroPoint),
  };
}
