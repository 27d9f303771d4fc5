import { int32Of, type OperatorParts, quantizationOf, refuse, scaleOf, slotAt } from './model-parts.ts';

interface RequantizerOptions {
  channels: number;
  /** Id of the fused activation. */
  activation: number;
  /**
   * Rounding of halves: away from 0, or up. TensorFlow Lite rounds away from 0. Its depthwise convolutions
   * handle eight channels at a time and round up; remaining channels round away from 0.
   */
  ties: 'away' | 'up';
}

/** Writes one 8-bit result per channel from the sums, starting at `at`. */
type Requantizer = (sums: Float64Array | Int32Array, results: Int8Array, at: number) => void;

/**
 * Scales sums to the output. TensorFlow Lite multiplies with a 31-bit fraction, rounds, shifts and rounds
 * again. This does the same, for identical results.
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
  /** Correction of negative halves in channels that round away from 0. */
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

/** Multiplier of each channel's sums, before the right shift. */
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

/** Output range of an activation, by its id in the file. */
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
