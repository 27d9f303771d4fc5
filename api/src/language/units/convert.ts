import {
  add,
  compare,
  divide,
  type Fraction,
  fraction,
  isWhole,
  leadingPlace,
  multiply,
  round,
  subtract,
} from '../numbers/fraction.ts';
import { type Unit, type UnitName, units } from './units.ts';

export interface Measured {
  value: Fraction;
  unit: UnitName;
}

type ConvertFault = 'other_quantity' | 'below_zero';

const nothing = fraction(0);

/** The same amount in another unit, exactly. */
export function convert({ value, unit }: Measured, to: UnitName): Fraction | ConvertFault {
  const [from, into]: [Unit, Unit] = [units[unit], units[to]];
  if (from.quantity !== into.quantity) return 'other_quantity';
  const base = add(multiply(value, from.factor), from.zero ?? nothing);
  // A temperature below absolute zero, and a negative length or weight, are impossible.
  if (compare(base, nothing) < 0) return 'below_zero';
  return divide(subtract(base, into.zero ?? nothing), into.factor) ?? nothing;
}

interface Rounded {
  value: Fraction;
  isExact: boolean;
}

/**
 * Precise enough for a kitchen. It keeps up to two decimals and rounds others to three digits. Temperatures
 * become whole degrees.
 */
export function roundMeasure(value: Fraction, unit: UnitName): Rounded {
  const decimals = Math.max(0, 2 - leadingPlace(value));
  const few = round(value, 2);
  if (compare(few, value) === 0) return { value, isExact: true };
  const shown = units[unit].quantity === 'temperature' ? round(value, 0) : round(value, decimals);
  return { value: shown, isExact: isWhole(value) };
}

/**
 * "22 pounds and 0.7 ounces": whole larger units, and the rest to a tenth in the smaller unit. Null for
 * another quantity.
 */
export function wholeAndRest(
  measured: Measured,
  [larger, smaller]: readonly [UnitName, UnitName],
): { whole: Fraction; rest: Fraction; isExact: boolean } | null {
  const [all, each] = [convert(measured, smaller), convert({ value: fraction(1), unit: larger }, smaller)];
  if (typeof all === 'string' || typeof each === 'string') return null;
  const tenths = round(all, 1);
  const times = divide(tenths, each);
  const whole = fraction(times ? times.top / times.bottom : 0);
  const rest = subtract(tenths, multiply(whole, each));
  return { whole, rest, isExact: compare(tenths, all) === 0 };
}
