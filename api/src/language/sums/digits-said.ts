import { digitsOf, type Fraction } from '../numbers/fraction.ts';
import type { NumberMarks } from '../numbers/marks.ts';
import { spokenNumber } from './spoken-number.ts';

/** Formats a number for the reply: "0.25" for a decimal, "a third" for a fraction with endless decimals. */
export function digitsSaid(
  value: Fraction,
  { names, marks }: { names: Readonly<Record<string, string>>; marks: NumberMarks },
): string {
  const name = names[`${value.top}/${value.bottom}`];
  if (name !== undefined) return name;
  return value.bottom === 1n ? digitsOf(value, marks) : spokenNumber(value, marks).text;
}
