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

/** The English of numbers: tens come before ones, an "and" may stand behind hundreds, and parts behind wholes. */
export function createNumberReader(known: NumberWords): NumberReader {
  const valueIn = (table: Readonly<Record<string, number>>, said: readonly Word[], at: number) => {
    const word = said[at]?.word ?? '';
    return Object.hasOwn(table, word) ? table[word] : undefined;
  };
  const isOneOf = (table: readonly string[], said: readonly Word[], at: number) =>
    table.includes(said[at]?.word ?? '');

  const { decimal, thousands } = known.marks;
  const grouped = new RegExp(String.raw`^\d{1,3}(${literally(thousands)}\d{3})+(${literally(decimal)}\d+)?$`);
  /** "25", "1,000", "2.5". */
  const digits = (said: readonly Word[], at: number): Fraction | null => {
    const text = said[at]?.word ?? '';
    return readDigits(grouped.test(text) ? text.replaceAll(thousands, '') : text, decimal);
  };

  /** Below a hundred: "seven", "seventeen", "seventy seven", and anything in digits. */
  const small = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const written = digits(said, at);
    if (written) return { value: written, end: at + 1 };
    const ten = valueIn(known.tens, said, at);
    const one = valueIn(known.ones, said, ten === undefined ? at : at + 1);
    if (ten === undefined) return one === undefined ? null : { value: fraction(one), end: at + 1 };
    const hasOne = one !== undefined && one > 0 && one < 10;
    return { value: fraction(ten + (hasOne ? one : 0)), end: at + (hasOne ? 2 : 1) };
  };

  /** "seven", or "a" where it stands for one. */
  const count = (said: readonly Word[], at: number): Read<Fraction> | null =>
    small(said, at) ?? (isOneOf(known.one, said, at) ? { value: fraction(1), end: at + 1 } : null);

  /** Below a thousand: also "two hundred and five", "a hundred", "nineteen hundred". */
  const hundreds = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const first = count(said, at);
    if (!first) return null;
    if (!isOneOf(known.hundred, said, first.end)) return small(said, at);
    const hundred = multiply(first.value, fraction(100));
    const end = first.end + 1;
    const rest = small(said, isOneOf(known.and, said, end) ? end + 1 : end);
    return rest ? { value: add(hundred, rest.value), end: rest.end } : { value: hundred, end };
  };

  /** Any size: "two thousand and twenty six", "a million". Behind a thousand only what is smaller belongs to the same number. */
  const whole = (
    said: readonly Word[],
    at: number,
    below = Number.POSITIVE_INFINITY,
  ): Read<Fraction> | null => {
    const group = hundreds(said, at) ?? count(said, at);
    if (!group) return null;
    const scale = valueIn(known.scales, said, group.end);
    if (scale === undefined) return hundreds(said, at);
    if (scale >= below) return null;
    const value = multiply(group.value, fraction(scale));
    const end = group.end + 1;
    const rest = whole(said, isOneOf(known.and, said, end) ? end + 1 : end, scale);
    return rest ? { value: add(value, rest.value), end: rest.end } : { value, end };
  };

  /** "point two five", behind a whole number. */
  const decimals = (said: readonly Word[], number: Read<Fraction>): Read<Fraction> => {
    if (!isOneOf(known.point, said, number.end) || !isWhole(number.value)) return number;
    let read = '';
    let end = number.end + 1;
    for (; ; end += 1) {
      const word = said[end]?.word ?? '';
      const digit = /^\d+$/.test(word) ? word : valueIn(known.ones, said, end);
      if (digit === undefined || Number(digit) > 9) break;
      read += digit;
    }
    const value = readDigits(`0.${read}`);
    return value ? { value: add(number.value, value), end } : number;
  };

  /** "3/4", written as one. */
  const writtenPart = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const top = said[at + 1]?.word === '/' ? digits(said, at) : null;
    const bottom = top && digits(said, at + 2);
    const value = bottom && isSameWord(said, at, at + 3) ? divide(top, bottom) : null;
    return value && { value, end: at + 3 };
  };

  /** "half", "a quarter", "three quarters". */
  const part = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const written = writtenPart(said, at);
    if (written) return written;
    const top = count(said, at);
    const end = top?.end ?? at;
    const bottom = valueIn(known.parts, said, end);
    if (bottom === undefined || (!top && bottom !== 2)) return null;
    return { value: multiply(top?.value ?? fraction(1), fraction(1, bottom)), end: end + 1 };
  };

  /** "and a half", "1/2": what a whole number may be followed by. */
  const andPart = (said: readonly Word[], number: Read<Fraction>): Read<Fraction> => {
    const hasAnd = isOneOf(known.and, said, number.end);
    const more = part(said, hasAnd ? number.end + 1 : number.end);
    const isMixed =
      more && (hasAnd || said[number.end + 1]?.word === '/') && more.value.top < more.value.bottom;
    return isMixed ? { value: add(number.value, more.value), end: more.end } : number;
  };

  const positive = (said: readonly Word[], from: number): Read<Fraction> | null => {
    const group = isOneOf(known.one, said, from) ? valueIn(known.groups, said, from + 1) : undefined;
    if (group !== undefined) return { value: fraction(group), end: from + 2 };
    const fractional = part(said, from);
    if (fractional) return fractional;
    const number = whole(said, from);
    if (!number) return null;
    const many = valueIn(known.groups, said, number.end);
    if (many !== undefined) return { value: multiply(number.value, fraction(many)), end: number.end + 1 };
    const precise = decimals(said, number);
    const scale = precise.end > number.end ? valueIn(known.scales, said, precise.end) : undefined;
    if (scale !== undefined) return { value: multiply(precise.value, fraction(scale)), end: precise.end + 1 };
    return andPart(said, precise);
  };

  return {
    marks: known.marks,

    read(said: readonly Word[], from: number): Read<Fraction> | null {
      if (!isOneOf(known.minus, said, from)) return positive(said, from);
      const number = positive(said, from + 1);
      return number && { value: subtract(fraction(0), number.value), end: number.end };
    },

    readOrdinal(said: readonly Word[], from: number): Read<number> | null {
      const written = said[from]?.word ?? '';
      if (/^\d{1,4}$/.test(written) && isOneOf(known.ordinal_endings, said, from + 1)) {
        return { value: Number(written), end: from + 2 };
      }
      const alone = valueIn(known.ordinals, said, from);
      if (alone !== undefined) return { value: alone, end: from + 1 };
      const ten = valueIn(known.tens, said, from);
      const one = valueIn(known.ordinals, said, from + 1);
      if (ten === undefined || one === undefined || one > 9) return null;
      return { value: ten + one, end: from + 2 };
    },
  };
}

/** Whether words were written together, as "1/2" is and "1 / 2" is not. */
function isSameWord(said: readonly Word[], from: number, end: number): boolean {
  const apart = said.slice(from + 1, end).some((word, index) => word.start > (said[from + index]?.end ?? 0));
  return !apart;
}
