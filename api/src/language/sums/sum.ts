import { fraction } from '../numbers/fraction.ts';
import { fill } from '../phrase.ts';
import { exactly, isFault, rootOf, type SumOperation, type SumOutcome, workOut } from './arithmetic.ts';
import { type Currency, currencyOf } from './money.ts';
import type { SumWords } from './sum-words.ts';

/** A sum, or a part of one. */
export interface Sum {
  outcome: SumOutcome;
  /** The sum in the words of the language. */
  text: string;
  /** The number of steps. A single number is not a sum. */
  steps: number;
  /** "20 percent": its base depends on the surrounding words. */
  isPercent?: boolean;
  /** It is money. */
  currency?: Currency | undefined;
}

type Say = SumWords['say'];

/** A single whole number. */
export function alone(value: number): Sum {
  return { outcome: exactly(fraction(value)), text: String(value), steps: 0 };
}

/** "seven times eight" */
export function combined(say: Say, operation: SumOperation, [one, other]: readonly [Sum, Sum]): Sum {
  const currency = currencyOf(operation, one, other);
  return {
    outcome: currency === null ? 'not_of_money' : workOut(operation, one.outcome, other.outcome),
    text: fill(say[operation], { a: one.text, b: other.text }),
    steps: one.steps + other.steps + 1,
    currency: currency ?? undefined,
  };
}

/**
 * "50 minus 20 percent" subtracts 20 percent of the 50, as on a pocket calculator. The same rule applies to
 * "add 20 percent to 50".
 */
export function plusOrMinus(say: Say, operation: SumOperation, [one, other]: readonly [Sum, Sum]): Sum {
  if (operation === 'plus' && one.isPercent && !other.isPercent)
    return plusOrMinus(say, operation, [other, one]);
  const isOfOne = other.isPercent && !one.isPercent;
  return combined(say, operation, [one, isOfOne ? shareOf(one, other) : other]);
}

/** "the square root of nine" */
export function rooted(say: Say, root: 'square_root' | 'cube_root', of: Sum): Sum {
  return {
    outcome: of.currency ? 'not_of_money' : rootOf(root === 'square_root' ? 2 : 3, of.outcome),
    text: fill(say[root], { a: of.text }),
    steps: of.steps + 1,
  };
}

/** "five squared" */
export function raised(say: Say, power: 'squared' | 'cubed', base: Sum): Sum {
  const exponent = alone(power === 'squared' ? 2 : 3);
  return { ...combined(say, 'to_the_power_of', [base, exponent]), text: fill(say[power], { a: base.text }) };
}

/** "20 percent" */
export function percentOf(say: Say, of: Sum): Sum {
  return {
    outcome: workOut('divided_by', of.outcome, exactly(fraction(100))),
    text: fill(say.percent, { a: of.text }),
    steps: of.steps,
    isPercent: true,
  };
}

/** Whether "of" may follow: "15 percent", "half". */
export function isShare({ outcome, steps, isPercent }: Sum): boolean {
  if (isPercent) return true;
  return (
    steps === 0 && !isFault(outcome) && outcome.value.bottom > 1n && outcome.value.top < outcome.value.bottom
  );
}

/** "15 percent of 80", "half of nine" */
export function ofWhole(say: Say, share: Sum, whole: Sum): Sum {
  return {
    ...combined(say, 'times', [share, whole]),
    text: fill(say.of, { a: share.text, b: whole.text }),
  };
}

/** "20 percent off 60": the remainder. */
export function offWhole(say: Say, share: Sum, whole: Sum): Sum {
  return combined(say, 'minus', [whole, shareOf(whole, share)]);
}

/** That share of a whole, with its original text: "20 percent". */
function shareOf(whole: Sum, share: Sum): Sum {
  return { ...share, outcome: workOut('times', whole.outcome, share.outcome), currency: whole.currency };
}
