import {
  compare,
  digitsOf,
  type Fraction,
  fraction,
  leadingPlace,
  multiply,
  power,
  round,
} from '../numbers/fraction.ts';
import type { NumberMarks } from '../numbers/marks.ts';
import { fill } from '../phrase.ts';

/** Listeners cannot follow more digits. */
const maxDecimals = 6;
/** Significant digits of a rounded number. */
const significant = 4;
/** Above this place it uses powers: "2.05 times 10 to the power of 24". */
const largestPlace = 15;

interface SpokenNumber {
  /** The digits; a very large or very small number with its power of ten. */
  text: string;
  /** The text is exact, not rounded. */
  isExact: boolean;
}

/** A speakable number: whole if possible, rounded if it is endless. */
export function spokenNumber(value: Fraction, marks: NumberMarks): SpokenNumber {
  const place = leadingPlace(value);
  if (place >= largestPlace || place < -maxDecimals) return scientific(value, place, marks);
  const few = round(value, maxDecimals);
  const isExact = compare(few, value) === 0;
  // A rounded number keeps all digits before the point, and a minimum in total.
  const shown = isExact ? few : round(value, Math.max(0, significant - 1 - place));
  return { text: digitsOf(shown, marks, maxDecimals * 2), isExact };
}

function scientific(value: Fraction, place: number, marks: NumberMarks): SpokenNumber {
  const scaled = multiply(value, power(fraction(10), BigInt(-place)) ?? fraction(1));
  const shown = round(scaled, 2);
  const withPower = (digits: Fraction, exponent: number) =>
    fill(marks.power_of_ten, { a: digitsOf(digits, marks, 2), b: exponent });
  // 9.999 becomes 10, which is 1 of the next power.
  if (leadingPlace(shown) > 0)
    return { text: withPower(fraction(shown.top < 0n ? -1 : 1), place + 1), isExact: false };
  return { text: withPower(shown, place), isExact: compare(shown, scaled) === 0 };
}
