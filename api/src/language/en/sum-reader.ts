import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { add, divide, type Fraction, fraction, isWhole } from '../numbers/fraction.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';
import { exactly, type SumOperation } from '../sums/arithmetic.ts';
import { digitsSaid } from '../sums/digits-said.ts';
import { type Currency, moneySaid } from '../sums/money.ts';
import {
  alone,
  combined,
  isShare,
  offWhole,
  ofWhole,
  percentOf,
  plusOrMinus,
  raised,
  rooted,
  type Sum,
} from '../sums/sum.ts';
import type { SumReader } from '../sums/sum-reader.ts';
import type { SumPair, SumWords } from '../sums/sum-words.ts';

/** Maximum number of steps. People say no longer sums, and reading them takes time. */
const maxSteps = 20;

interface Grammar {
  words: SumWords;
  numbers: NumberReader;
}

/** A position in a sentence where a sum, or a part of one, may start. */
interface Place {
  said: readonly Word[];
  at: number;
  /** Nesting depth: the root of the root of the root of ... */
  depth: number;
}

/** A grammar rule: reads what starts at this position, or returns null. */
type Rule = (grammar: Grammar, place: Place) => Read<Sum> | null;

/** Operations of the same precedence: times before plus. */
interface Rank {
  operations: readonly Exclude<SumOperation, 'remainder'>[];
  /** Reads their operands. */
  operand: Rule;
  join: typeof combined;
}

/**
 * English sums: operations between operands; roots, doubles and pairs before them; powers and percent after
 * them.
 */
export function createSumReader(words: SumWords, numbers: NumberReader): SumReader {
  const grammar: Grammar = { words, numbers };
  return {
    read(said, from) {
      const sum = wholeSum(grammar, { said, at: from, depth: 0 });
      return sum && sum.value.steps > 0 ? sum : null;
    },
  };
}

/** "two plus three times four" */
const wholeSum: Rule = (grammar, place) =>
  row(grammar, place, { operations: ['plus', 'minus'], operand: product, join: plusOrMinus });

/** "three times four" */
const product: Rule = (grammar, place) =>
  row(grammar, place, { operations: ['times', 'divided_by'], operand: factor, join: combined });

/** Steps of the same precedence, from left to right. */
function row(grammar: Grammar, place: Place, rank: Rank): Read<Sum> | null {
  const { say } = grammar.words;
  let sum = rank.operand(grammar, place);
  while (sum && sum.value.steps < maxSteps) {
    const step = stepAt(grammar, { ...place, at: sum.end }, rank);
    if (!step) break;
    sum = { value: rank.join(say, step.operation, [sum.value, step.other.value]), end: step.other.end };
  }
  return sum;
}

/** One of these operations with its operand: "times four". */
function stepAt(grammar: Grammar, place: Place, { operations, operand }: Rank) {
  for (const operation of operations) {
    const other = behind(grammar.words[operation], place, (next) => operand(grammar, next));
    if (other) return { operation, other };
  }
  return null;
}

/** "15 percent of 80", "half of nine", "20 percent off 60", or a power alone. */
const factor: Rule = (grammar, place) => {
  const one = power(grammar, place);
  if (!one || !isShare(one.value)) return one;
  const { of, off, say } = grammar.words;
  const next = { ...place, at: one.end };
  const isOff = longestPhraseEnd(off, next.said, next.at) !== null;
  const whole = behind(isOff ? off : of, next, (from) => power(grammar, from));
  if (!whole) return one;
  return { value: (isOff ? offWhole : ofWhole)(say, one.value, whole.value), end: whole.end };
};

/** A number with its suffix: "five squared", "two to the power of ten", "20 percent". */
const power: Rule = (grammar, { said, at, depth }) => {
  const inner = { said, at, depth: depth + 1 };
  const base =
    depth > maxSteps ? null : (prefixed(grammar, inner) ?? money(grammar, inner) ?? number(grammar, inner));
  if (!base) return null;
  const { words } = grammar;
  const percent = longestPhraseEnd(words.percent, said, base.end);
  if (percent !== null) return { value: percentOf(words.say, base.value), end: percent };
  const next = { ...inner, at: base.end };
  const exponent = behind(words.to_the_power_of, next, (from) => power(grammar, from));
  if (!exponent) return squaredOrCubed(grammar, said, base);
  return { value: combined(words.say, 'to_the_power_of', [base.value, exponent.value]), end: exponent.end };
};

/** "five squared", "five cubed", or only the five. */
function squaredOrCubed({ words }: Grammar, said: readonly Word[], base: Read<Sum>): Read<Sum> {
  for (const key of ['squared', 'cubed'] as const) {
    const end = longestPhraseEnd(words[key], said, base.end);
    if (end !== null) return { value: raised(words.say, key, base.value), end };
  }
  return base;
}

/**
 * A sum that starts with its operation: "the square root of nine", "double five", "the sum of five and
 * seven".
 */
const prefixed: Rule = (grammar, place) =>
  root(grammar, place) ?? multiple(grammar, place) ?? rated(grammar, place) ?? pair(grammar, place);

/** "a tip for 62 at 18 percent" */
const rated: Rule = (grammar, place) => {
  const { rated: words, say } = grammar.words;
  const whole = words ? behind(words.begin, place, (next) => power(grammar, next)) : null;
  if (!words || !whole) return null;
  const rate = behind(words.between, { ...place, at: whole.end }, (next) => power(grammar, next));
  return rate?.value.isPercent ? { value: ofWhole(say, rate.value, whole.value), end: rate.end } : null;
};

/** "the square root of nine", "the cube root of 27" */
const root: Rule = (grammar, place) => {
  for (const key of ['square_root', 'cube_root'] as const) {
    const of = behind(grammar.words[key], place, (next) => power(grammar, next));
    if (of) return { value: rooted(grammar.words.say, key, of.value), end: of.end };
  }
  return null;
};

/** "double five", "triple five" */
const multiple: Rule = (grammar, place) => {
  for (const [key, times] of [['double', 2] as const, ['triple', 3] as const]) {
    const of = behind(grammar.words[key], place, (next) => power(grammar, next));
    if (of) return { value: combined(grammar.words.say, 'times', [alone(times), of.value]), end: of.end };
  }
  return null;
};

/** "the sum of five and seven", "multiply six by seven" */
const pair: Rule = (grammar, place) => {
  for (const each of grammar.words.pairs) {
    const found = pairOf(grammar, place, each);
    if (found) return found;
  }
  return null;
};

function pairOf(grammar: Grammar, place: Place, each: SumPair) {
  const found = pairWith(grammar, place, { each, first: power });
  // "Split 90 with a 20 percent tip three ways": the first operand may be a sum, but of numbers only.
  return found || place.depth > 1 ? found : pairWith(grammar, place, { each, first: wholeSum });
}

function pairWith(grammar: Grammar, place: Place, { each, first }: { each: SumPair; first: Rule }) {
  const { begin, operation, swapped } = each;
  const inner = { ...place, depth: place.depth + 1 };
  const one = behind(begin, inner, (next) => first(grammar, next));
  const other = one && secondOf(grammar, { ...inner, at: one.end }, each);
  if (!other) return null;
  const inOrder = swapped ? ([other.value, one.value] as const) : ([one.value, other.value] as const);
  const { say } = grammar.words;
  const join = operation === 'plus' || operation === 'minus' ? plusOrMinus : combined;
  let found = { value: join(say, operation, inOrder), end: other.end };
  // "The sum of 3, 7, 9 and 24"
  while ((operation === 'plus' || operation === 'times') && found.value.steps < maxSteps) {
    const next = secondOf(grammar, { ...inner, at: found.end }, each);
    if (!next) break;
    found = { value: join(say, operation, [found.value, next.value]), end: next.end };
  }
  return found;
}

/** "between four people", "four ways", or a number after a comma. */
function secondOf(grammar: Grammar, place: Place, { between, followed_by, ways }: SumPair): Read<Sum> | null {
  const isListed = place.said[place.at]?.gap === ',';
  const other =
    behind(between, place, (next) => power(grammar, next)) ?? (isListed ? power(grammar, place) : null);
  if (other) return { ...other, end: skipPhrase(followed_by ?? [], place.said, other.end) };
  const bare = ways ? power(grammar, place) : null;
  const end = bare && longestPhraseEnd(ways ?? [], place.said, bare.end);
  return bare && end !== null ? { value: bare.value, end } : null;
}

/** "$15.99", "20 dollars", "five dollars and fifty cents", "fifteen ninety nine dollars". */
const money: Rule = ({ words, numbers }, { said, at }) => {
  for (const currency of words.money) {
    const amount = signed(currency, numbers, said, at) ?? named(currency, numbers, said, at);
    if (!amount) continue;
    const { value, end } = withCents(amount, { currency, and: words.and, numbers, said });
    const text = moneySaid(value, currency, numbers.marks);
    return { value: { outcome: exactly(value), text, steps: 0, currency }, end };
  }
  return null;
};

/** "$15.99" */
function signed({ names }: Currency, numbers: NumberReader, said: readonly Word[], at: number) {
  const sign = longestPhraseEnd(names, said, at);
  return sign === null ? null : numbers.read(said, sign);
}

/** "20 dollars", "six sixty five dollars" */
function named({ names }: Currency, numbers: NumberReader, said: readonly Word[], at: number) {
  const coins = numbers.read(said, at);
  if (!coins) return null;
  const end = longestPhraseEnd(names, said, coins.end);
  if (end !== null) return { value: coins.value, end };
  const cents = numbers.read(said, coins.end);
  const behind = cents && longestPhraseEnd(names, said, cents.end);
  if (behind === null || !isWhole(coins.value) || !isTwoDigits(cents?.value)) return null;
  return { value: plusCents(coins.value, cents?.value), end: behind };
}

/** "and fifty cents" after "five dollars". */
function withCents(
  amount: Read<Fraction>,
  {
    currency,
    and,
    numbers,
    said,
  }: { currency: Currency; and: readonly string[]; numbers: NumberReader; said: readonly Word[] },
): Read<Fraction> {
  const cents = numbers.read(said, skipPhrase(and, said, amount.end));
  const end = cents && longestPhraseEnd(currency.cents, said, cents.end);
  if (!cents || end === null || !isWhole(amount.value)) return amount;
  return { value: plusCents(amount.value, cents.value), end };
}

function plusCents(coins: Fraction, cents: Fraction = fraction(0)): Fraction {
  return add(coins, divide(cents, fraction(100)) ?? fraction(0));
}

function isTwoDigits(value: Fraction = fraction(0)): boolean {
  return value.bottom === 1n && value.top >= 10n && value.top < 100n;
}

/** A bare number in digits. */
const number: Rule = ({ words, numbers }, { said, at }) => {
  const read = numbers.read(said, at);
  if (!read) return null;
  const text = digitsSaid(read.value, { names: words.say.fractions, marks: numbers.marks });
  return { value: { outcome: exactly(read.value), text, steps: 0 }, end: read.end };
};

/** The position after the longest of these phrases; null if none is here. */
function behind<T>(phrases: readonly string[], place: Place, read: (next: Place) => T | null): T | null {
  const end = longestPhraseEnd(phrases, place.said, place.at);
  return end === null ? null : read({ ...place, at: end });
}
