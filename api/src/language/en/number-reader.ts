import type { Word } from '../grammar/words.ts';
import {
  add,
  divide,
  type Fraction,
  fraction,
  isWhole,
  multiply,
  readDigits,
  subtract,
} from '../numbers/fraction.ts';
import type { NumberReader, NumberWords, Read } from '../numbers/number-reader.ts';
import { literally } from '../pattern.ts';

/** The number words, with the pattern of grouped digits: "1,000", "12,000.5". */
interface Numerals extends NumberWords {
  grouped: RegExp;
}

/** A grammar rule: reads a number at this position, or returns null. */
type Rule = (numerals: Numerals, said: readonly Word[], at: number) => Read<Fraction> | null;

/** A rule for words after a number: reads the number with them, or the number alone. */
type Suffix = (numerals: Numerals, said: readonly Word[], number: Read<Fraction>) => Read<Fraction>;

/** English numbers: tens before ones, an optional "and" after hundreds, fractions after wholes. */
export function createNumberReader(known: NumberWords): NumberReader {
  const { decimal, thousands } = known.marks;
  const grouped = new RegExp(String.raw`^\d{1,3}(${literally(thousands)}\d{3})+(${literally(decimal)}\d+)?$`);
  const numerals: Numerals = { ...known, grouped };
  return {
    marks: known.marks,
    read: (said, from) => signed(numerals, said, from),
    readOrdinal: (said, from) => ordinal(known, said, from),
  };
}

/** "seven", "minus seven". */
const signed: Rule = (numerals, said, at) => {
  if (!isOneOf(numerals.minus, said, at)) return positive(numerals, said, at);
  const number = positive(numerals, said, at + 1);
  return number && { value: subtract(fraction(0), number.value), end: number.end };
};

/** Any number but a negative one. */
const positive: Rule = (numerals, said, at) => {
  const group = oneGroup(numerals, said, at);
  if (group) return group;
  const fractional = part(numerals, said, at);
  if (fractional) return inScale(numerals, said, fractional);
  const number = whole(numerals, said, { at });
  return number ? wholeWithRest(numerals, said, number) : onlyDecimals(numerals, said, at);
};

/** "a dozen". */
const oneGroup: Rule = ({ one, groups }, said, at) => {
  const group = isOneOf(one, said, at) ? valueIn(groups, said, at + 1) : undefined;
  return group === undefined ? null : { value: fraction(group), end: at + 2 };
};

/** A whole number with its suffix: "two dozen", "two point five million", "two and a half". */
const wholeWithRest: Suffix = (numerals, said, number) => {
  const group = valueIn(numerals.groups, said, number.end);
  if (group !== undefined) return timesNextWord(number, group);
  const precise = andPart(numerals, said, decimals(numerals, said, number));
  return precise.end === number.end ? number : inScale(numerals, said, precise);
};

/** A fraction with its suffix: "two point five million", "half a dozen". */
const inScale: Suffix = (numerals, said, number) => {
  const at = isOneOf(numerals.one, said, number.end) ? number.end + 1 : number.end;
  const times = valueIn(numerals.scales, said, at) ?? valueIn(numerals.groups, said, at);
  return times === undefined ? number : timesNextWord({ ...number, end: at }, times);
};

/** "point five", without a number before it. */
const onlyDecimals: Rule = (numerals, said, at) => {
  const zero = { value: fraction(0), end: at };
  const number = decimals(numerals, said, zero);
  return number.end === at ? null : inScale(numerals, said, number);
};

/**
 * Any size: "two thousand and twenty six", "a million". After a thousand, only smaller scales belong to the
 * same number.
 */
function whole(
  numerals: Numerals,
  said: readonly Word[],
  { at, below = Number.POSITIVE_INFINITY }: { at: number; below?: number },
): Read<Fraction> | null {
  const group = hundreds(numerals, said, at) ?? count(numerals, said, at);
  if (!group) return null;
  const scale = valueIn(numerals.scales, said, group.end);
  if (scale === undefined) return hundreds(numerals, said, at);
  if (scale >= below) return null;
  const scaled = timesNextWord(group, scale);
  return sum(scaled, whole(numerals, said, { at: skipAnd(numerals, said, scaled.end), below: scale }));
}

/** Below a thousand: also "two hundred and five", "a hundred", "nineteen hundred". */
const hundreds: Rule = (numerals, said, at) => {
  const first = count(numerals, said, at);
  if (!first) return null;
  if (!isOneOf(numerals.hundred, said, first.end)) return small(numerals, said, at);
  const hundred = timesNextWord(first, 100);
  return sum(hundred, small(numerals, said, skipAnd(numerals, said, hundred.end)));
};

/** "seven", or "a" meaning one. */
const count: Rule = (numerals, said, at) =>
  small(numerals, said, at) ?? (isOneOf(numerals.one, said, at) ? { value: fraction(1), end: at + 1 } : null);

/** Below a hundred: "seven", "seventeen", "seventy seven", and any digits. The 1 of "1/2" is excluded. */
const small: Rule = (numerals, said, at) => {
  if (writtenPart(numerals, said, at)) return null;
  const written = digits(numerals, said, at);
  if (written) return written;
  const ten = valueIn(numerals.tens, said, at);
  const one = valueIn(numerals.ones, said, ten === undefined ? at : at + 1);
  if (ten === undefined) return one === undefined ? null : { value: fraction(one), end: at + 1 };
  const hasOne = one !== undefined && one > 0 && one < 10;
  return { value: fraction(ten + (hasOne ? one : 0)), end: at + (hasOne ? 2 : 1) };
};

/** "25", "1,000", "2.5". */
const digits: Rule = ({ grouped, marks }, said, at) => {
  const text = said[at]?.word ?? '';
  const value = readDigits(grouped.test(text) ? text.replaceAll(marks.thousands, '') : text, marks.decimal);
  return value && { value, end: at + 1 };
};

/** "point two five", after a whole number. */
const decimals: Suffix = (numerals, said, number) => {
  if (!isOneOf(numerals.point, said, number.end) || !isWhole(number.value)) return number;
  const at = number.end + 1;
  // People also say "point fourteen".
  const together = /^\d+$/.test(said[at]?.word ?? '') ? null : small(numerals, said, at);
  const first =
    together && together.value.top > 9n ? { read: String(together.value.top), end: together.end } : null;
  const { read, end } = first ?? eachDigit(numerals, said, at);
  const value = readDigits(`0.${read}`);
  return sum(number, value && { value, end });
};

/** "two five", "25" */
function eachDigit({ ones }: Numerals, said: readonly Word[], at: number): { read: string; end: number } {
  let read = '';
  for (let end = at; ; end += 1) {
    const word = said[end]?.word ?? '';
    const digit = /^\d+$/.test(word) ? word : valueIn(ones, said, end);
    if (digit === undefined || (typeof digit === 'number' && digit > 9)) return { read, end };
    read += digit;
  }
}

/** "and a half", "and a 1/2", "1/2", after a whole number. */
const andPart: Suffix = (numerals, said, number) => {
  const at = skipAnd(numerals, said, number.end);
  const more = part(numerals, said, at);
  const isJoined = at > number.end || said[at + 1]?.word === '/';
  return isJoined && more && more.value.top < more.value.bottom ? sum(number, more) : number;
};

/** "half", "a quarter", "three quarters", "3/4". */
const part: Rule = (numerals, said, at) => {
  const written = writtenPart(numerals, said, at);
  if (written) return written;
  const top = ordinal(numerals, said, at) ? null : count(numerals, said, at);
  const end = top?.end ?? at;
  const bottom = valueIn(numerals.parts, said, end);
  if (bottom === undefined || (!top && bottom !== 2)) return null;
  return { value: multiply(top?.value ?? fraction(1), fraction(1, bottom)), end: end + 1 };
};

/** "3/4", written as one, or "a 3/4". */
const writtenPart: Rule = (numerals, said, from) => {
  const at = isOneOf(numerals.one, said, from) ? from + 1 : from;
  const top = said[at + 1]?.word === '/' ? digits(numerals, said, at) : null;
  const bottom = top && digits(numerals, said, at + 2);
  const value = bottom && isSameWord(said, at, at + 3) ? divide(top.value, bottom.value) : null;
  return value && { value, end: at + 3 };
};

/** "21st", "third", "twenty first". */
function ordinal(known: NumberWords, said: readonly Word[], at: number): Read<number> | null {
  const written = said[at]?.word ?? '';
  if (/^\d{1,4}$/.test(written) && isOneOf(known.ordinal_endings, said, at + 1)) {
    return { value: Number(written), end: at + 2 };
  }
  const alone = valueIn(known.ordinals, said, at);
  if (alone !== undefined) return { value: alone, end: at + 1 };
  const ten = valueIn(known.tens, said, at);
  const one = valueIn(known.ordinals, said, at + 1);
  if (ten === undefined || one === undefined || one > 9) return null;
  return { value: ten + one, end: at + 2 };
}

function valueIn(
  table: Readonly<Record<string, number>>,
  said: readonly Word[],
  at: number,
): number | undefined {
  const word = said[at]?.word ?? '';
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function isOneOf(table: readonly string[], said: readonly Word[], at: number): boolean {
  return table.includes(said[at]?.word ?? '');
}

function skipAnd({ and }: NumberWords, said: readonly Word[], at: number): number {
  return isOneOf(and, said, at) ? at + 1 : at;
}

/** Multiplies by the next word: "two" and "thousand", "three" and "dozen". */
function timesNextWord(number: Read<Fraction>, times: number): Read<Fraction> {
  return { value: multiply(number.value, fraction(times)), end: number.end + 1 };
}

/** Adds the following number, if there is one. */
function sum(number: Read<Fraction>, rest: Read<Fraction> | null): Read<Fraction> {
  return rest ? { value: add(number.value, rest.value), end: rest.end } : number;
}

/** Whether words are written together: "1/2" is, "1 / 2" is not. */
function isSameWord(said: readonly Word[], from: number, end: number): boolean {
  const apart = said.slice(from + 1, end).some((word, index) => word.start > (said[from + index]?.end ?? 0));
  return !apart;
}
