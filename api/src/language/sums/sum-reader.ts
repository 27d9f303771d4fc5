import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { fraction } from '../numbers/fraction.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';
import { fill } from '../phrase.ts';
import { exactly, isFault, rootOf, type SumOperation, type SumOutcome, workOut } from './arithmetic.ts';
import { digitsSaid } from './digits-said.ts';
import type { SumPair, SumWords } from './sum-words.ts';

/** A sum, or a part of one. */
export interface Sum {
  outcome: SumOutcome;
  /** The sum in the words of the language. */
  text: string;
  /** How many steps it has. A number alone is no sum. */
  steps: number;
  /** "20 percent": of what, depends on what it stands behind. */
  isPercent?: boolean;
}

/** Longer sums are said by nobody, and cost time. */
const mostSteps = 20;

type Part = Read<Sum> | null;

interface Place {
  at: number;
  /** How deep in the sum: the root of the root of the root of ... */
  depth: number;
}

/** Operations that come in the same turn: times before plus. */
interface Rank {
  next(said: readonly Word[], at: number): Part;
  operations: readonly SumOperation[];
  join(operation: SumOperation, one: Sum, other: Sum): Sum;
}

const roots = [['square_root', 2] as const, ['cube_root', 3] as const];
const multiples = [['double', 2] as const, ['triple', 3] as const];
const exponents = [['squared', 2] as const, ['cubed', 3] as const];

/** Reads sums as they are said: "seven times eight", "15% of 80", "the square root of 144 plus two". Times comes before plus, as on paper. */
export function createSumReader(words: SumWords, numbers: NumberReader) {
  const two = (operation: SumOperation, one: Sum, other: Sum): Sum => ({
    outcome: workOut(operation, one.outcome, other.outcome),
    text: fill(words.say[operation], { a: one.text, b: other.text }),
    steps: one.steps + other.steps + 1,
  });

  const number = (said: readonly Word[], at: number): Part => {
    const read = numbers.read(said, at);
    if (!read) return null;
    const text = digitsSaid(read.value, { names: words.say.fractions, marks: numbers.marks });
    return { value: { outcome: exactly(read.value), text, steps: 0 }, end: read.end };
  };

  /** What stands behind one of these words: the root OF something, double SOMETHING. */
  const behindWord = (
    key: 'square_root' | 'cube_root' | 'double' | 'triple',
    said: readonly Word[],
    from: Place,
  ): Part => {
    const end = longestPhraseEnd(words[key], said, from.at);
    return end === null ? null : powered(said, { ...from, at: end });
  };

  /** "the square root of nine", "double five", "the sum of five and seven". */
  const prefixed = (said: readonly Word[], from: Place): Part => {
    for (const [key, degree] of roots) {
      const of = behindWord(key, said, from);
      if (!of) continue;
      const text = fill(words.say[key], { a: of.value.text });
      return {
        value: { outcome: rootOf(degree, of.value.outcome), text, steps: of.value.steps + 1 },
        end: of.end,
      };
    }
    for (const [key, times] of multiples) {
      const of = behindWord(key, said, from);
      if (of) return { value: two('times', alone(times), of.value), end: of.end };
    }
    return paired(said, from);
  };

  /** "the sum of five and seven", "multiply six by seven". */
  const pair = (
    said: readonly Word[],
    from: Place,
    { begin, between, operation, swapped }: SumPair,
  ): Part => {
    const end = longestPhraseEnd(begin, said, from.at);
    const one = end === null ? null : powered(said, { ...from, at: end });
    const next = one && longestPhraseEnd(between, said, one.end);
    const other = next ? powered(said, { ...from, at: next }) : null;
    if (!one || !other) return null;
    const [first, second] = swapped ? [other, one] : [one, other];
    return { value: two(operation, first.value, second.value), end: other.end };
  };
  const paired = (said: readonly Word[], from: Place): Part => {
    for (const each of words.pairs) {
      const found = pair(said, from, each);
      if (found) return found;
    }
    return null;
  };

  /** A number with what clings to it: "five squared", "two to the power of ten", "20 percent". */
  const powered = (said: readonly Word[], { at, depth }: Place): Part => {
    const inner = { at, depth: depth + 1 };
    const base = depth > mostSteps ? null : (prefixed(said, inner) ?? number(said, at));
    if (!base) return null;
    const percent = longestPhraseEnd(words.percent, said, base.end);
    if (percent !== null) return { value: percentOf(base.value), end: percent };
    const to = longestPhraseEnd(words.to_the_power_of, said, base.end);
    const exponent = to === null ? null : powered(said, { ...inner, at: to });
    if (exponent) return { value: two('to_the_power_of', base.value, exponent.value), end: exponent.end };
    return raised(said, base);
  };

  const raised = (said: readonly Word[], base: Read<Sum>): Read<Sum> => {
    for (const [key, exponent] of exponents) {
      const end = longestPhraseEnd(words[key], said, base.end);
      const text = fill(words.say[key], { a: base.value.text });
      if (end !== null)
        return { value: { ...two('to_the_power_of', base.value, alone(exponent)), text }, end };
    }
    return base;
  };

  const percentOf = (of: Sum): Sum => ({
    outcome: workOut('divided_by', of.outcome, exactly(fraction(100))),
    text: fill(words.say.percent, { a: of.text }),
    steps: of.steps,
    isPercent: true,
  });

  /** That part of something, called as it was: "20 percent". */
  const partial = (of: Sum, part: Sum): Sum => ({
    ...part,
    outcome: workOut('times', of.outcome, part.outcome),
  });
  const less = (whole: Sum, part: Sum): Sum => two('minus', whole, partial(whole, part));

  /** "15 percent of 80", "half of nine", "20 percent off 60": a part of something, or what is left of it. */
  const partOf = (said: readonly Word[], one: Read<Sum>): Part => {
    const isPart = one.value.isPercent || isFractionAlone(one.value);
    if (!isPart) return null;
    const off = longestPhraseEnd(words.off, said, one.end);
    const end = off ?? longestPhraseEnd(words.of, said, one.end);
    const other = end === null ? null : powered(said, { at: end, depth: 0 });
    if (!other) return null;
    if (off !== null) return { value: less(other.value, one.value), end: other.end };
    const text = fill(words.say.of, { a: one.value.text, b: other.value.text });
    return { value: { ...two('times', one.value, other.value), text }, end: other.end };
  };

  /** One of these operations with what it works on. */
  const stepAt = (said: readonly Word[], at: number, { next, operations }: Rank) => {
    for (const operation of operations) {
      const end = longestPhraseEnd(words[operation], said, at);
      const other = end === null ? null : next(said, end);
      if (other) return { operation, other };
    }
    return null;
  };

  /** Steps of the same rank, from left to right. */
  const row =
    (rank: Rank) =>
    (said: readonly Word[], at: number): Part => {
      let sum = rank.next(said, at);
      while (sum && sum.value.steps < mostSteps) {
        const step = stepAt(said, sum.end, rank);
        if (!step) break;
        sum = { value: rank.join(step.operation, sum.value, step.other.value), end: step.other.end };
      }
      return sum;
    };

  const factor = (said: readonly Word[], at: number): Part => {
    const one = powered(said, { at, depth: 0 });
    return one && (partOf(said, one) ?? one);
  };
  const product = row({ next: factor, operations: ['times', 'divided_by'], join: two });
  const whole = row({
    next: product,
    operations: ['plus', 'minus'],
    /** "50 minus 20 percent" means 20 percent of the 50, as on every pocket calculator. */
    join: (operation, one, other) =>
      two(operation, one, other.isPercent && !one.isPercent ? partial(one, other) : other),
  });

  return {
    /** The longest sum that begins here; a number alone is none. */
    read(said: readonly Word[], from: number): Read<Sum> | null {
      const sum = whole(said, from);
      return sum && sum.value.steps > 0 ? sum : null;
    },
  };
}

function alone(value: number): Sum {
  return { outcome: exactly(fraction(value)), text: String(value), steps: 0 };
}

function isFractionAlone({ outcome, steps }: Sum): boolean {
  return (
    steps === 0 && !isFault(outcome) && outcome.value.bottom > 1n && outcome.value.top < outcome.value.bottom
  );
}
