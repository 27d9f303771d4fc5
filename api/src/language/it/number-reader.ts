import { createNumberReader } from '../en/number-reader.ts';
import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import { readingCompounds } from '../numbers/compound-numbers.ts';
import type { NumberReader, NumberWords, Read } from '../numbers/number-reader.ts';

/** Longer words are no spoken numbers. */
const maxLetters = 60;

/**
 * Italian numbers are one word up to a million, without some letters between the parts ("ventuno",
 * "centottanta"). An ending makes an ordinal ("ventesimo"). Everything else is said as in English.
 */
export function createItalianNumberReader(known: NumberWords): NumberReader {
  const reader = createNumberReader(known);
  const compound = createCompounds(known);
  return {
    marks: reader.marks,
    read: readingCompounds(reader, compound.numberAt),
    readOrdinal: remembered((said, from) => {
      const value = compound.ordinalOf(said[from]?.word ?? '');
      return value === null ? reader.readOrdinal(said, from) : { value, end: from + 1 };
    }),
  };
}

/** A number word and its value. */
type Entry = [word: string, value: number];

/** Two numbers in one word. The first loses its last vowel before another one: "vent-uno", "cent-otto". */
function pairsOf(first: readonly Entry[], second: readonly Entry[]): Entry[] {
  return first.flatMap(([start, large]) =>
    second.flatMap(([rest, value]): Entry[] => {
      const sum = large + value;
      return /^[ou]/.test(rest)
        ? [
            [start.slice(0, -1) + rest, sum],
            [start + rest, sum],
          ]
        : [[start + rest, sum]];
    }),
  );
}

/** Values of number words that the tables do not list. */
function createCompounds({ ones, tens, hundred, scales, and, ordinals, ordinal_endings }: NumberWords) {
  const valueIn = (table: Readonly<Record<string, number>>, word: string): number | null =>
    Object.hasOwn(table, word) ? (table[word] ?? null) : null;
  const digits = Object.entries(ones).filter(([, value]) => value > 0 && value < 10);
  const thousands = Object.keys(scales).filter((word) => scales[word] === 1_000);
  const small = [...Object.entries(ones), ...Object.entries(tens), ...pairsOf(Object.entries(tens), digits)];
  const hundreds = hundred.flatMap((name): Entry[] => [
    [name, 100],
    ...digits.map(([digit, value]): Entry => [digit + name, value * 100]),
  ]);
  const belowThousand = new Map([
    ...small,
    ...hundreds,
    ...pairsOf(
      hundreds,
      small.filter(([, value]) => value > 0),
    ),
  ]);
  /** "mille", "milleduecento", "duemila", "centomilatrecento". */
  const numberOf = (word: string): number | null => {
    const listed = belowThousand.get(word);
    if (listed !== undefined || word.length > maxLetters) return listed ?? null;
    const unit = thousands.find((each) => word.includes(each));
    if (unit === undefined) return null;
    const [before = '', ...rest] = word.split(unit);
    const count = before === '' ? 1 : belowThousand.get(before);
    const more = rest.join(unit) === '' ? 0 : belowThousand.get(rest.join(unit));
    return count === undefined || more === undefined ? null : count * 1_000 + more;
  };

  const wordAt = (said: readonly Word[], at: number) => said[at]?.word ?? '';
  /** The numbers that may follow a round one: below 1000 after "mille", below 100 after "cento". */
  const roomBehind = (value: number) => {
    if (value >= 1_000) return value % 1_000 === 0 ? 1_000 : 0;
    return value >= 100 && value % 100 === 0 ? 100 : 0;
  };
  const isNumber = (word: string) => /^\d/.test(word) || numberOf(word) !== null;
  /** "due mila": the reader of scales knows it. */
  const isScale = (said: readonly Word[], at: number) =>
    thousands.includes(wordAt(said, at)) && isNumber(wordAt(said, at - 1));
  /** "cento venti", "mille e duecento": a number of several words. */
  const composed = (said: readonly Word[], at: number): Read<number> | null => {
    const value = numberOf(wordAt(said, at));
    if (value === null || isScale(said, at)) return null;
    const room = roomBehind(value);
    const next = room === 1_000 && and.includes(wordAt(said, at + 1)) ? at + 2 : at + 1;
    const more = said[next]?.gap === '' ? composed(said, next) : null;
    const fits = more !== null && more.value > 0 && more.value < room;
    return fits ? { value: value + more.value, end: more.end } : { value, end: at + 1 };
  };

  /** A listed word alone stays: the English reader knows it. */
  const numberAt = (said: readonly Word[], at: number): Read<number> | null => {
    const number = composed(said, at);
    const isListed = number?.end === at + 1 && valueIn(ones, wordAt(said, at)) !== null;
    return isListed ? null : number;
  };

  return {
    numberAt,
    /** "ventunesimo", "ventitreesima". */
    ordinalOf(word: string): number | null {
      if (word.length > maxLetters) return null;
      const listed = valueIn(ordinals, word);
      if (listed !== null) return listed;
      const ending = ordinal_endings.find((each) => each.length > 3 && word.endsWith(each));
      if (ending === undefined) return null;
      const stem = word.slice(0, -ending.length);
      const values = ['', 'o', 'i', 'e', 'a'].map((vowel) => numberOf(stem + vowel));
      return values.find((value) => value !== null && value > 0) ?? null;
    },
  };
}
