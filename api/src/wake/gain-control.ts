/**
 * Per-channel gain by noise (PCAN), in integers. It raises quiet channels, so that distant words look like
 * near ones.
 */

const strength = 0.95;
const offset = 80;
const gainBits = 21;
/** Fractional bits of a noise estimate, and the shift of signal times gain. */
const inputBits = 7;
const snrShift = 6;
const maxGain = 32_767;

const float = Math.fround;

function gainAt(noise: number): number {
  const scaled = float(float(noise) / 2 ** inputBits);
  const gain = float(2 ** gainBits * float(float(scaled + offset) ** float(-strength)));
  return gain > maxGain ? maxGain : Math.trunc(float(gain + 0.5));
}

/** Builds a gain table: for each power of 2 below 2^32, the three coefficients of a parabola. */
export function createGains() {
  const bases = new Int32Array(33);
  const slopes = new Int32Array(33);
  const curves = new Int32Array(33);
  for (let bits = 2; bits <= 32; bits += 1) {
    const low = 2 ** (bits - 1);
    const base = gainAt(low);
    const middle = gainAt(low + low / 2) - base;
    const high = gainAt(bits === 32 ? 2 * low - 1 : 2 * low) - base;
    bases[bits] = base;
    slopes[bits] = 4 * middle - high;
    curves[bits] = high - (4 * middle - high);
  }
  const first = [gainAt(0), gainAt(1)] as const;

  const gainOf = (noise: number): number => {
    if (noise < 2) return first[noise === 0 ? 0 : 1];
    // Like the original, which reads the first table entry for 2.
    if (noise === 2) return bases[2] ?? 0;
    const bits = 32 - Math.clz32(noise);
    const fraction = (bits < 11 ? noise << (11 - bits) : noise >>> (bits - 11)) & 0x3ff;
    let gain = Math.imul(curves[bits] ?? 0, fraction) >> 5;
    gain += (slopes[bits] ?? 0) << 5;
    gain = Math.imul(gain, fraction);
    gain = (gain + (1 << 14)) >> 15;
    return ((gain + (bases[bits] ?? 0)) << 16) >> 16;
  };

  /** Applies the gain for the channel's estimated noise. */
  return (signal: number, noise: number): number => {
    const ratio = ((signal * gainOf(noise)) / 2 ** snrShift) >>> 0;
    return ratio < 8_192 ? Math.floor((ratio * ratio) / 2 ** 20) : Math.floor(ratio / 2 ** 6) - 64;
  };
}
