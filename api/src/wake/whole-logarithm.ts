/** log2(1 + x) - x for x from 0 to 1 in 128 steps, as a 16-bit fraction. */
const steps = 128;
const unit = 65_536;
const curve = Int32Array.from({ length: steps + 1 }, (_, n) =>
  Math.round(unit * (Math.log2(1 + n / steps) - n / steps)),
);
/** ln 2 as a 16-bit fraction. */
const ln2 = 45_426;

/** 64 times the natural logarithm of an integer above 1, as an integer. */
export function logarithm(value: number): number {
  const power = 31 - Math.clz32(value);
  const above = value - 2 ** power;
  const fraction = power < 16 ? above << (16 - power) : above >>> (power - 16);
  const step = fraction >> 9;
  const low = curve[step] ?? 0;
  const between = Math.imul((curve[step + 1] ?? 0) - low, fraction - (step << 9)) >> 16;
  const log2 = power * unit + fraction + low + between;
  const natural = Math.floor((ln2 * log2 + unit / 2) / unit);
  return Math.floor((natural * 64 + unit / 2) / unit);
}
