import { createNumberReader } from '../en/number-reader.ts';
import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import type { NumberReader, NumberWords } from '../numbers/number-reader.ts';

/** Longer words are not spoken numbers. */
const maxLetters = 100;

/**
 * German and Dutch numbers are one word up to a million. Ones come before tens ("einundzwanzig"), halves join
 * the word ("zweieinhalb"), and an ending makes an ordinal. The English reader reads everything else.
 */
export function createGermanNumberReader(known: NumberWords): NumberReader {
  const reader = createNumberReader(known);
  const compound = createCompounds(known);
  const asDigits = ({ word, ...place }: Word, before: Word | undefined): Word => {
    const value = compound.valueOf(word, before?.word);
    return { ...place, word: value === null ? word : String(value).replace('.', known.marks.decimal) };
  };
  const written = new WeakMap<readonly Word[], readonly Word[]>();
  const inDigits = (said: readonly Word[]): readonly Word[] => {
    const digits = written.get(said) ?? said.map((word, at) => asDigits(word, said[at - 1]));
    written.set(said, digits);
    return digits;
  };
  return {
    marks: reader.marks,
    read: remembered((said, from) => {
      const digits = inDigits(said);
      // "eine dreiviertel Stunde"
      const part = known.one.includes(said[from]?.word ?? '') ? reader.read(digits, from + 1) : null;
      const isPart = part !== null && part.value.top > 0n && part.value.top < part.value.bottom;
      return isPart ? part : reader.read(digits, from);
    }),
    readOrdinal: remembered((said, from) => {
      const value = compound.ordinalOf(said[from]?.word ?? '');
      return value === null ? reader.readOrdinal(said, from) : { value, end: from + 1 };
    }),
  };
}

/** Values of numbers in one word that the tables do not list. */
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
  const [hundredWord = ''] = hundred;
  const thousandWord = Object.keys(scales).find((word) => scales[word] === 1_000) ?? '';
  /** "einhalb", "ënhalf": a fraction at the end of a number word. */
  const starts = Object.keys(ones).filter((word) => ones[word] === 1);
  const endings = [...starts, ...and, ...and.flatMap((joint) => starts.map((one) => joint + one))].flatMap(
    (start) => Object.entries(parts).map(([part, count]) => ({ rest: start + part, value: 1 / count })),
  );
  const valueIn = (table: Readonly<Record<string, number>>, word: string) =>
    Object.hasOwn(table, word) ? (table[word] ?? null) : null;

  const digits = Object.entries(ones).filter(([, value]) => value > 0 && value < 10);
  const pairs = new Map(
    Object.entries(tens).flatMap(([name, ten]) =>
      digits.flatMap(([one, value]) => and.map((joint) => [one + joint + name, ten + value] as const)),
    ),
  );
  /** Below 100: "sieben", "dreißig", "siebenunddreißig". */
  const small = (word: string): number | null =>
    valueIn(ones, word) ?? valueIn(tens, word) ?? pairs.get(word) ?? null;
  /** "zweihundert", "hundertfünf", "zweitausendundeins": a part, the unit, and the rest. */
  const around = (
    word: string,
    unit: string,
    read: { before: (part: string) => number | null; behind: (part: string) => number | null },
  ): { count: number; rest: number } | null => {
    const at = word.indexOf(unit);
    if (at < 0) return null;
    const behind = word.slice(at + unit.length);
    const count = at === 0 ? 1 : read.before(word.slice(0, at));
    const rests = ['', ...and].map((joint) => read.behind(withoutStart(behind, joint)));
    const rest = behind === '' ? 0 : (rests.find((each) => each !== null) ?? null);
    return count === null || rest === null ? null : { count, rest };
  };
  const belowThousand = (word: string): number | null => {
    const found = around(word, hundredWord, { before: small, behind: small });
    return found ? found.count * 100 + found.rest : small(word);
  };
  const whole = (word: string): number | null => {
    const found = around(word, thousandWord, { before: belowThousand, behind: belowThousand });
    return found ? found.count * 1_000 + found.rest : belowThousand(word);
  };
  /** "zweieinhalb": a number and a part. Only halves and quarters have short decimals. */
  const mixed = (word: string): number | null => {
    for (const { rest, value } of endings) {
      const isEnding = word.length > rest.length && word.endsWith(rest) && value % 0.25 === 0;
      const count = isEnding ? whole(withoutEnd(word, rest)) : null;
      if (count !== null) return count + value;
    }
    return null;
  };

  return {
    /** Null: it is not a number, a table lists it, or it belongs to the number before it. */
    valueOf(word: string, before = ''): number | null {
      if (word === hundredWord || word === thousandWord) {
        const isCounted = /\d$/.test(before) || belowThousand(before) !== null;
        return isCounted ? null : word === hundredWord ? 100 : 1_000;
      }
      if (word.length > maxLetters || valueIn(ones, word) !== null || valueIn(tens, word) !== null)
        return null;
      return mixed(word) ?? whole(word);
    },
    ordinalOf(word: string): number | null {
      if (word.length > maxLetters) return null;
      const listed = valueIn(ordinals, word);
      if (listed !== null) return listed;
      for (const ending of ordinal_endings) {
        const value = word.endsWith(ending) ? whole(withoutEnd(word, ending)) : null;
        if (value !== null) return value;
      }
      return null;
    },
  };
}

const withoutStart = (word: string, start: string) =>
  word.startsWith(start) ? word.slice(start.length) : word;
const withoutEnd = (word: string, end: string) => word.slice(0, word.length - end.length);
