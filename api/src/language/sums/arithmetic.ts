import {
  add,
  compare,
  divide,
  type Fraction,
  fraction,
  isTooLarge,
  isWhole,
  multiply,
  power,
  root,
  subtract,
} from '../numbers/fraction.ts';

/** The result of a sum. */
export interface SumResult {
  value: Fraction;
  /** False for most roots. */
  isExact: boolean;
}

type SumFault = 'by_zero' | 'no_root' | 'too_large' | 'not_of_money';

export type SumOutcome = SumResult | SumFault;

export type SumOperation = 'plus' | 'minus' | 'times' | 'divided_by' | 'remainder' | 'to_the_power_of';

/** Larger roots cost time and help no one. */
const maxRootBits = 400;

export function exactly(value: Fraction): SumResult {
  return { value, isExact: true };
}

export function isFault(outcome: SumOutcome): outcome is SumFault {
  return typeof outcome === 'string';
}

/** Calculates one step. A fault on either side is the fault of the whole. */
export function workOut(operation: SumOperation, one: SumOutcome, other: SumOutcome): SumOutcome {
  if (isFault(one)) return one;
  if (isFault(other)) return other;
  const value = resultOf(operation, one.value, other.value);
  if (typeof value === 'string') return value;
  return isTooLarge(value) ? 'too_large' : { value, isExact: one.isExact && other.isExact };
}

export function rootOf(degree: 2 | 3, of: SumOutcome): SumOutcome {
  if (isFault(of)) return of;
  if (bits(of.value) > maxRootBits) return 'too_large';
  const found = root(of.value, degree);
  return found ? { value: found.value, isExact: found.isExact && of.isExact } : 'no_root';
}

function resultOf(operation: SumOperation, one: Fraction, other: Fraction): Fraction | SumFault {
  switch (operation) {
    case 'plus':
      return add(one, other);
    case 'minus':
      return subtract(one, other);
    case 'times':
      return multiply(one, other);
    case 'divided_by':
      return divide(one, other) ?? 'by_zero';
    case 'remainder':
      return remainderOf(one, other);
    case 'to_the_power_of':
      return powerOf(one, other);
  }
}

/** The remainder of a division. */
function remainderOf(one: Fraction, other: Fraction): Fraction | SumFault {
  const times = divide(one, other);
  if (!times) return 'by_zero';
  const below = ((times.top % times.bottom) + times.bottom) % times.bottom;
  return subtract(one, multiply(other, fraction((times.top - below) / times.bottom)));
}

function powerOf(base: Fraction, exponent: Fraction): Fraction | SumFault {
  // A half is the only fractional power that people say.
  if (!isWhole(exponent)) {
    const half = compare(exponent, fraction(1, 2)) === 0 ? root(base, 2) : null;
    return half?.isExact ? half.value : 'too_large';
  }
  if (base.top === 0n && exponent.top < 0n) return 'by_zero';
  return power(base, exponent.top) ?? 'too_large';
}

function bits({ top, bottom }: Fraction): number {
  return Math.max(top.toString(2).length, bottom.toString(2).length);
}
