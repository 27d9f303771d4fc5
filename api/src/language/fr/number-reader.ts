import { createNumberReader } from '../en/number-reader.ts';
import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import { readingCompounds } from '../numbers/compound-numbers.ts';
import type { NumberReader, NumberWords, Read } from '../numbers/number-reader.ts';

/**
 * French numbers: sums and products of words below a million ("quatre-vingt-dix-sept"). An ending makes an
 * ordinal ("vingt et unième"). Everything else is said as in English.
 */
export function createFrenchNumberReader(known: NumberWords): NumberReader {
  const reader = createNumberReader(known);
  const compound = createCompounds(known);
  return {
    marks: reader.marks,
    read: readingCompounds(reader, compound.numberAt),
    readOrdinal: remembered((said, from) => compound.ordinalAt(said, from) ?? reader.readOrdinal(said, from)),
  };
}

/** Numbers of several words, and "cent" and "mille", which need no number before them. */
function createCompounds({
  ones,
  tens,
  hundred,
  scales,
  parts,
  and,
  ordinals,
  ordinal_endings,
}: NumberWords) {
  const valueIn = (table: Readonly<Record<string, number>>, word = ''): number | null =>
    Object.hasOwn(table, word) ? (table[word] ?? null) : null;
  const wordAt = (said: readonly Word[], at: number): string => said[at]?.word ?? '';
  const isThousand = (word: string) => valueIn(scales, word) === 1_000;

  /** "sept", and digits below a limit. */
  const oneAt = (said: readonly Word[], at: number, limit: number): Read<number> | null => {
    const value = valueIn(ones, wordAt(said, at));
    return value === null || value >= limit ? null : { value, end: at + 1 };
  };
  /** "vingt et un", "soixante et onze", "soixante-dix", "quatre-vingt-dix-sept". */
  const belowHundred = (said: readonly Word[], at: number): Read<number> | null => {
    const ten = tenAt(said, at);
    if (!ten) return belowTwenty(said, at);
    // After sixty and eighty, people count up to nineteen: "soixante-quinze".
    const goesOn = ten.value === 60 || ten.value === 80;
    const joint = and.includes(wordAt(said, ten.end)) ? ten.end + 1 : ten.end;
    const rest = belowTwenty(said, joint);
    const isJoined = joint === ten.end || rest?.value === 1 || rest?.value === 11;
    const fits = rest !== null && isJoined && rest.value > 0 && rest.value < (goesOn ? 20 : 10);
    return fits ? { value: ten.value + rest.value, end: rest.end } : ten;
  };
  /** "vingt", "quatre-vingts". */
  const tenAt = (said: readonly Word[], at: number): Read<number> | null => {
    const value = valueIn(tens, wordAt(said, at));
    if (value !== null) return { value, end: at + 1 };
    const times = valueIn(ones, wordAt(said, at));
    return times === 4 && valueIn(tens, wordAt(said, at + 1)) === 20 ? { value: 80, end: at + 2 } : null;
  };
  /** Below twenty: "sept", "dix-sept". */
  const belowTwenty = (said: readonly Word[], at: number): Read<number> | null => {
    const one = oneAt(said, at, 20);
    const more = one?.value === 10 ? oneAt(said, one.end, 10) : null;
    return one && more && more.value > 6 ? { value: 10 + more.value, end: more.end } : one;
  };
  const belowThousand = (said: readonly Word[], at: number): Read<number> | null => {
    const count = hundred.includes(wordAt(said, at)) ? { value: 1, end: at } : oneAt(said, at, 10);
    if (!count || count.value < 1 || !hundred.includes(wordAt(said, count.end)))
      return belowHundred(said, at);
    const rest = belowHundred(said, count.end + 1);
    const fits = rest !== null && rest.value > 0;
    return { value: count.value * 100 + (fits ? rest.value : 0), end: fits ? rest.end : count.end + 1 };
  };
  const whole = (said: readonly Word[], at: number): Read<number> | null => {
    const count = isThousand(wordAt(said, at)) ? { value: 1, end: at } : belowThousand(said, at);
    if (!count || count.value < 1 || !isThousand(wordAt(said, count.end))) return count;
    const rest = belowThousand(said, count.end + 1);
    const fits = rest !== null && rest.value > 0;
    return { value: count.value * 1_000 + (fits ? rest.value : 0), end: fits ? rest.end : count.end + 1 };
  };
  /** "1 500": groups of three digits, with a space between them. */
  const grouped = (said: readonly Word[], at: number): Read<number> | null => {
    let digits = /^[1-9]\d{0,2}$/.test(wordAt(said, at)) ? wordAt(said, at) : '';
    let end = at + 1;
    for (; digits !== '' && /^\d{3}$/.test(wordAt(said, end)) && said[end]?.gap === ''; end += 1)
      digits += wordAt(said, end);
    return end > at + 1 && digits.length < maxDigits ? { value: Number(digits), end } : null;
  };
  /** A number that the English reader would read differently. */
  const composed = (said: readonly Word[], at: number): Read<number> | null => {
    const found = grouped(said, at) ?? whole(said, at);
    const isPart = found !== null && found.end === at + 1 && valueIn(parts, wordAt(said, found.end)) !== null;
    const isOther = found !== null && (found.end > at + 1 || found.value >= 100);
    return isOther && !isPart ? found : null;
  };

  return {
    numberAt: composed,
    /** "vingt et unième", "quatre-vingt-deuxième". */
    ordinalAt(said: readonly Word[], from: number): Read<number> | null {
      for (let end = Math.min(said.length, from + maxOrdinalWords); end > from; end -= 1) {
        const value = ordinalOf(said, from, end);
        if (value !== null) return { value, end };
      }
      return null;
    },
  };

  /** The last word has the ending of an ordinal: "trent-ième", "neuv-ième". */
  function ordinalOf(said: readonly Word[], from: number, end: number): number | null {
    const last = said[end - 1];
    const ending = last && ordinal_endings.find((each) => each.length > 3 && last.word.endsWith(each));
    const listed = valueIn(ordinals, last?.word);
    if (end === from + 1 && listed !== null) return listed;
    if (!last || ending === undefined) return null;
    const stem = last.word.slice(0, -ending.length);
    const bases = [stem, `${stem}e`, `${stem}s`, stem.replace(/v$/, 'f'), stem.replace(/u$/, '')];
    for (const word of bases) {
      const found = whole([...said.slice(from, end - 1), { ...last, word }], 0);
      if (found && found.end === end - from && found.value > 0) return found.value;
    }
    return null;
  }
}

const maxOrdinalWords = 6;
/** A number with fewer digits is exact. */
const maxDigits = 16;
