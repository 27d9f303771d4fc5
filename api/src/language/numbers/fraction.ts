import type { NumberMarks } from './marks.ts';

/** An exact number. An assistant must not say that 0.1 and 0.2 are 0.30000000000000004. */
export interface Fraction {
  /** Carries the sign. */
  top: bigint;
  /** Above zero, without a common factor with `top`. */
  bottom: bigint;
}

/** Larger numbers have no use at home and only cost time. */
const maxBits = 2_000;

export function fraction(top: bigint | number, bottom: bigint | number = 1): Fraction {
  return lowest(BigInt(top), BigInt(bottom));
}

export function add(one: Fraction, other: Fraction): Fraction {
  return lowest(one.top * other.bottom + other.top * one.bottom, one.bottom * other.bottom);
}

export function subtract(one: Fraction, other: Fraction): Fraction {
  return add(one, { top: -other.top, bottom: other.bottom });
}

export function multiply(one: Fraction, other: Fraction): Fraction {
  return lowest(one.top * other.top, one.bottom * other.bottom);
}

/** Null: division by zero. */
export function divide(one: Fraction, other: Fraction): Fraction | null {
  return other.top === 0n ? null : lowest(one.top * other.bottom, one.bottom * other.top);
}

/** To a whole power. Null: too large, or zero to a negative power. */
export function power(base: Fraction, exponent: bigint): Fraction | null {
  const size = exponent < 0n ? -exponent : exponent;
  const bits = BigInt(Math.max(bitsOf(base.top), bitsOf(base.bottom)));
  if (bits * size > BigInt(maxBits) && bits > 1n) return null;
  // One and minus one allow any exponent; their powers depend only on its parity.
  const times = bits > 1n ? size : size % 2n;
  const raised = fraction(base.top ** times, base.bottom ** times);
  return exponent < 0n ? divide(fraction(1), raised) : raised;
}

/** The square or cube root: exact if it is rational, else to forty decimals. Null: the number is negative. */
export function root(value: Fraction, degree: 2 | 3): { value: Fraction; isExact: boolean } | null {
  if (value.top < 0n) {
    if (degree === 2) return null;
    const positive = root({ top: -value.top, bottom: value.bottom }, degree);
    return positive && { ...positive, value: subtract(fraction(0), positive.value) };
  }
  const [top, bottom] = [wholeRoot(value.top, degree), wholeRoot(value.bottom, degree)];
  if (raisedTo(top, degree) === value.top && raisedTo(bottom, degree) === value.bottom) {
    return { value: fraction(top, bottom), isExact: true };
  }
  const scale = 10n ** 40n;
  const scaled = (value.top * raisedTo(scale, degree)) / value.bottom;
  return { value: fraction(wholeRoot(scaled, degree), scale), isExact: false };
}

export function compare(one: Fraction, other: Fraction): number {
  const difference = one.top * other.bottom - other.top * one.bottom;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function isWhole({ bottom }: Fraction): boolean {
  return bottom === 1n;
}

export function isTooLarge({ top, bottom }: Fraction): boolean {
  return Math.max(bitsOf(top), bitsOf(bottom)) > maxBits;
}

/** Digits with at most one decimal mark: "12", "0.5", "1000.25". Null: anything else. */
export function readDigits(text: string, decimal = '.'): Fraction | null {
  const parts = text.split(decimal);
  if (parts.length > 2 || !parts.every((part) => /^\d{1,100}$/.test(part))) return null;
  const [whole = '', decimals = ''] = parts;
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
}

/**
 * Rounded to this many decimals, halves away from zero, without trailing zeros. Negative decimals round to
 * tens, hundreds.
 */
export function round(value: Fraction, decimals: number): Fraction {
  const scale = 10n ** BigInt(Math.abs(decimals));
  const scaled = decimals < 0 ? fraction(value.top, value.bottom * scale) : multiply(value, fraction(scale));
  const size = scaled.top < 0n ? -scaled.top : scaled.top;
  const rounded = (2n * size + scaled.bottom) / (2n * scaled.bottom);
  const signed = scaled.top < 0n ? -rounded : rounded;
  return decimals < 0 ? fraction(signed * scale) : fraction(signed, scale);
}

/** The number in digits, truncated after this many decimals. Pass a number that has no more. */
export function digitsOf(value: Fraction, marks: NumberMarks, maxDecimals = 40): string {
  const size = value.top < 0n ? -value.top : value.top;
  const scaled = ((size * 10n ** BigInt(maxDecimals)) / value.bottom)
    .toString()
    .padStart(maxDecimals + 1, '0');
  const whole = scaled.slice(0, scaled.length - maxDecimals);
  const decimals = scaled.slice(scaled.length - maxDecimals).replace(/0+$/, '');
  const sign = value.top < 0n ? '-' : '';
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, () => marks.thousands);
  return sign + grouped + (decimals && marks.decimal + decimals);
}

/** The place of the first digit that is not zero: 2 for hundreds, 0 for ones, -1 for tenths. */
export function leadingPlace({ top, bottom }: Fraction): number {
  const size = top < 0n ? -top : top;
  if (size === 0n) return 0;
  if (size >= bottom) return (size / bottom).toString().length - 1;
  return -((bottom + size - 1n) / size - 1n).toString().length;
}

function lowest(top: bigint, bottom: bigint): Fraction {
  if (bottom === 0n) throw new RangeError('a fraction of zero');
  let [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
  while (b > 0n) [a, b] = [b, a % b];
  const divisor = bottom < 0n ? -a : a;
  return { top: top / divisor, bottom: bottom / divisor };
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

function raisedTo(value: bigint, degree: 2 | 3): bigint {
  return degree === 2 ? value * value : value * value * value;
}

/** The largest whole number whose power is not above the value, by halving. */
function wholeRoot(value: bigint, degree: 2 | 3): bigint {
  let low = 0n;
  let high = 1n << BigInt(Math.ceil(value.toString(2).length / degree));
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (raisedTo(middle, degree) <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
