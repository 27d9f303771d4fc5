import { createNumberReader } from '../en/number-reader.ts';
import type { Word } from '../grammar/words.ts';
import { readingCompounds } from '../numbers/compound-numbers.ts';
import type { NumberReader, NumberWords, Read } from '../numbers/number-reader.ts';

/**
 * Spanish numbers: hundreds in one word ("doscientos"), "y" between tens and ones, a thousand without a one
 * before it. Everything else is said as in English.
 */
export function createSpanishNumberReader(known: NumberWords): NumberReader {
  const reader = createNumberReader(known);
  return {
    marks: reader.marks,
    read: readingCompounds(reader, createCardinals(known)),
    readOrdinal: reader.readOrdinal,
  };
}

/** Reads the numbers of several words below a million, and a thousand alone. */
function createCardinals({ ones, tens, scales, and }: NumberWords) {
  const wordAt = (said: readonly Word[], at: number) => said[at]?.word ?? '';
  const valueIn = (table: Readonly<Record<string, number>>, said: readonly Word[], at: number) => {
    const word = wordAt(said, at);
    return Object.hasOwn(table, word) ? (table[word] ?? null) : null;
  };
  const isThousand = (said: readonly Word[], at: number) => valueIn(scales, said, at) === 1_000;

  /** "siete", "treinta y siete" */
  const belowHundred = (said: readonly Word[], at: number): Read<number> | null => {
    const ten = valueIn(tens, said, at);
    if (ten !== null && ten < 100) {
      const one = and.includes(wordAt(said, at + 1)) ? valueIn(ones, said, at + 2) : null;
      return one !== null && one > 0 && one < 10
        ? { value: ten + one, end: at + 3 }
        : { value: ten, end: at + 1 };
    }
    const one = valueIn(ones, said, at);
    return one === null ? null : { value: one, end: at + 1 };
  };
  /** "doscientos cincuenta y tres" */
  const belowThousand = (said: readonly Word[], at: number): Read<number> | null => {
    const hundred = valueIn(tens, said, at);
    if (hundred === null || hundred < 100) return belowHundred(said, at);
    const rest = belowHundred(said, at + 1);
    return rest !== null && rest.value > 0
      ? { value: hundred + rest.value, end: rest.end }
      : { value: hundred, end: at + 1 };
  };

  return (said: readonly Word[], at: number): Read<number> | null => {
    const first = belowThousand(said, at);
    const thousandAt = first?.end ?? at;
    const isCounted = first !== null || !/^\d/.test(wordAt(said, at - 1));
    if (isThousand(said, thousandAt) && isCounted) {
      const rest = belowThousand(said, thousandAt + 1);
      const value = (first?.value ?? 1) * 1_000;
      return rest !== null && rest.value > 0
        ? { value: value + rest.value, end: rest.end }
        : { value, end: thousandAt + 1 };
    }
    // The tables have numbers of one word.
    return first !== null && first.end > at + 1 ? first : null;
  };
}
