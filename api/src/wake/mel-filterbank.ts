/** Triangular filters, evenly spaced on the mel scale. Each frequency belongs to two neighbours. */
interface MelFilterbank {
  /** Range of the relevant frequencies. `end` is exclusive. */
  begin: number;
  end: number;
  /**
   * For each frequency: the channel on whose rising side it lies, and its weights there and in the next one.
   */
  channels: Int32Array;
  weights: Int32Array;
  restWeights: Int32Array;
}

interface MelOptions {
  channels: number;
  lowHz: number;
  highHz: number;
  sampleRateHz: number;
  /** Number of frequencies in the spectrum, including 0 Hz. */
  frequencies: number;
}

const float = Math.fround;
const mel = (hz: number): number => float(1_127 * log1p(float(hz / 700)));

/** Coefficients of the series below, from the highest power down. */
const series = [0.147_981_98, 0.153_138_38, 0.181_835_72, 0.222_221_98, 0.285_714_28, 0.4, 0.666_666_69].map(
  float,
);
/** ln 2 in two parts. Multiplying the first by an integer power is exact. */
const ln2High = float(0.693_138_12);
const ln2Low = float(9.058_000_6e-6);

/**
 * log(1 + x) for x from 0.1 to 12, identical to C's log1pf on Linux. Its last bit is sometimes wrong, and two
 * filter weights depend on it. `Math.log1p` would also differ between browsers.
 */
function log1p(x: number): number {
  const sum = float(1 + x);
  let power = Math.floor(Math.log2(sum));
  const lost = float((power > 0 ? float(1 - float(sum - x)) : float(x - float(sum - 1))) / sum);
  let rest = sum / 2 ** power;
  if (rest >= Math.SQRT2) {
    power += 1;
    rest /= 2;
  }
  const f = power === 0 ? x : float(rest - 1);
  const half = float(float(0.5 * f) * f);
  const s = float(f / float(2 + f));
  const square = float(s * s);
  const total = float(square * series.reduce((value, each) => float(each + float(square * value)), 0));
  const tail = float(s * float(half + total));
  if (power === 0) return float(f - float(half - tail));
  const low = float(float(power * ln2Low) + lost);
  return float(float(power * ln2High) - float(float(half - float(tail + low)) - f));
}

/** 1 as a 12-bit fraction. */
const one = 4_096;

/**
 * The mel filterbank of TensorFlow's microfrontend. It uses 32-bit floats like the original, to get the same
 * weights.
 */
export function createMelFilterbank(options: MelOptions): MelFilterbank {
  const { channels: count, lowHz, highHz, sampleRateHz, frequencies } = options;
  const lowest = mel(lowHz);
  const spacing = float(float(mel(highHz) - lowest) / (count + 1));
  const centres = Float32Array.from({ length: count + 1 }, (_, n) => lowest + float(spacing * (n + 1)));
  const hzEach = float((0.5 * sampleRateHz) / (frequencies - 1));
  const begin = Math.trunc(float(1.5 + float(lowHz / hzEach)));

  const channels = new Int32Array(frequencies);
  const weights = new Int32Array(frequencies);
  const restWeights = new Int32Array(frequencies);
  let frequency = begin;
  centres.forEach((centre, channel) => {
    const before = centres[channel - 1] ?? lowest;
    while (frequency < frequencies && mel(float(frequency * hzEach)) <= centre) {
      const weight = float(float(centre - mel(float(frequency * hzEach))) / float(centre - before));
      channels[frequency] = channel;
      weights[frequency] = Math.floor(float(weight * one + 0.5));
      restWeights[frequency] = Math.floor(float(float(1 - weight) * one + 0.5));
      frequency += 1;
    }
  });
  return { begin, end: frequency, channels, weights, restWeights };
}

/**
 * Sums frequency energies into channels. The first channel lies below the lowest frequency. Exact, because
 * sums stay below 2^53.
 */
export function accumulate(bank: MelFilterbank, energies: Float64Array, sums: Float64Array): void {
  const { begin, end, channels, weights, restWeights } = bank;
  sums.fill(0);
  for (let frequency = begin; frequency < end; frequency += 1) {
    const channel = channels[frequency] ?? 0;
    const energy = energies[frequency] ?? 0;
    sums[channel] = (sums[channel] ?? 0) + energy * (weights[frequency] ?? 0);
    sums[channel + 1] = (sums[channel + 1] ?? 0) + energy * (restWeights[frequency] ?? 0);
  }
}
