import { digitsOf, type Fraction, isWhole, round } from '../numbers/fraction.ts';
import type { NumberMarks } from '../numbers/marks.ts';
import { fill, type Phrase } from '../phrase.ts';
import type { SumOperation } from './arithmetic.ts';

/** A currency in sums: its spoken names, the names of its hundredth, and its written format. */
export interface Currency {
  names: readonly string[];
  cents: readonly string[];
  amount: Phrase;
  /** The format for exactly one, if it differs. */
  one?: Phrase | undefined;
}

interface Side {
  currency?: Currency | undefined;
}

/**
 * The currency of a result; undefined for a plain number. Null for meaningless steps, such as dollars times
 * dollars or dollars plus euros. In plus and minus, a plain number next to money is money: "twenty dollars
 * minus five".
 */
export function currencyOf(
  operation: SumOperation,
  { currency: one }: Side,
  { currency: other }: Side,
): Currency | undefined | null {
  if (!one && !other) return undefined;
  const either = one ?? other;
  const areBoth = one !== undefined && other !== undefined;
  switch (operation) {
    case 'plus':
    case 'minus':
      return areBoth && one !== other ? null : either;
    case 'times':
      return areBoth ? null : either;
    case 'divided_by':
      return ofParts(one, other);
    case 'remainder':
    case 'to_the_power_of':
      return null;
  }
}

/** Money divided by a number is money; money divided by money is a number. */
function ofParts(one: Currency | undefined, other: Currency | undefined): Currency | undefined | null {
  if (!other) return one;
  return one === other ? undefined : null;
}

/** "$3.60", "$9": cents in two digits, or none. */
export function moneySaid(value: Fraction, { amount, one }: Currency, marks: NumberMarks): string {
  const rounded = round(value, 2);
  const digits = digitsOf(rounded, marks);
  if (isWhole(rounded)) return fill(rounded.top === 1n ? (one ?? amount) : amount, { a: digits });
  const [whole = '', cents = ''] = digits.split(marks.decimal);
  return fill(amount, { a: whole + marks.decimal + cents.padEnd(2, '0') });
}
