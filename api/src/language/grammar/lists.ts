import { z } from 'zod';
import { createAutomaton, wholeFrom } from './automaton.ts';
import type { SlotReference, TemplateParser } from './template.ts';
import type { SlotType } from './walk.ts';
import type { Word, WordReader } from './words.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const meaning = z.union([scalar, z.array(scalar)]);
const text = z.string().trim().min(1);

/** Words with alternatives, as in a sentence, and their value. Without `out`, the words are the value. */
const valueSchema = z.union([
  text.transform((found) => ({ in: found, out: found, context: {} })),
  z.object({ in: text, out: meaning, context: z.record(z.string(), scalar).default({}) }),
]);

const rangeSchema = z
  .object({
    from: z.number(),
    to: z.number(),
    step: z.number().positive().default(1),
    /** The range also contains halves or tenths. */
    fractions: z.enum(['halves', 'tenths']).optional(),
    /** A factor for the number: -1 for a step down. */
    multiplier: z.number().default(1),
  })
  .refine(({ from, to }) => from <= to, { message: 'a range ends before it begins' });

/** The content of a slot: listed words, a number, or any words. The format follows hassil. */
export const listSchema = z.union([
  z.object({ values: z.array(valueSchema) }),
  z.object({ range: rangeSchema }),
  z.object({ wildcard: z.literal(true) }),
]);

export const listsSchema = z.record(z.string(), listSchema);

export type ListData = z.infer<typeof listSchema>;
type ListValue = z.infer<typeof valueSchema>;
type Range = z.infer<typeof rangeSchema>;

export interface List {
  type: SlotType;
  /**
   * The value of the words in a slot; null: not in the list. A wildcard returns the words joined by spaces.
   */
  valueOf(words: readonly Word[]): z.infer<typeof meaning> | null;
}

export interface ListOptions {
  parse: TemplateParser;
  readWords: WordReader;
  /** The numbers in words that start at a word. */
  numbersAt?: NumbersAt;
}

type NumbersAt = (words: readonly Word[], from: number) => readonly { value: number; end: number }[];

const costPerWordOfWildcard = 2;

/** Reads the words of a list. Throws on a syntax error. */
export function createList(data: ListData, options: ListOptions): List {
  if ('wildcard' in data) return wildcard;
  return 'range' in data ? createRange(data.range, options.numbersAt) : createValues(data.values, options);
}

/** Reads numbers in words: "dwadzieścia jeden". */
export function createNumbersAt(
  numberWords: Readonly<Record<string, number>>,
  readWords: WordReader,
): NumbersAt {
  const known = new Map<string, number>();
  let maxWords = 0;
  for (const [text, value] of Object.entries(numberWords)) {
    const words = readWords(text).map(({ word }) => word);
    known.set(words.join(' '), value);
    maxWords = Math.max(maxWords, words.length);
  }
  return (words, from) => {
    const ends = Array.from({ length: Math.min(maxWords, words.length - from) }, (_, at) => from + at + 1);
    return ends.flatMap((end) => {
      const text = words.slice(from, end).map(({ word }) => word);
      const value = known.get(text.join(' '));
      return value === undefined ? [] : [{ value, end }];
    });
  };
}

/** The slot types by their names in sentences, including ranges without a name. */
export function slotTypesIn(types: Readonly<Record<string, SlotType>>) {
  const find = (name: string): SlotType | null =>
    (Object.hasOwn(types, name) ? types[name] : inlineRange(name)) ?? null;
  return {
    /** Throws for an unknown type. */
    typeOf({ name, type }: SlotReference): SlotType {
      const found = find(type);
      if (found) return found;
      // Older files wrote the slot first.
      if (!Object.hasOwn(types, name)) throw new Error(`there is no list {${type}}`);
      throw new Error(`there is no list {${type}}: a list comes before its slot, {${name}:${type}}`);
    },
    isNumber: (name: string) => find(name)?.isNumber === true,
    /** The names of the number types. */
    numbers: Object.keys(types).filter((name) => types[name]?.isNumber),
  };
}

/** The type of `{0..100:percent}`, a range without a name. Null: it is a name. */
function inlineRange(type: string): SlotType | null {
  const [, from, to, step = '1'] = /^(\d+)\.\.(\d+)(?:,(\d+))?$/.exec(type) ?? [];
  if (from === undefined) return null;
  const range = { from: Number(from), to: Number(to), step: Number(step) };
  return createRange(rangeSchema.parse(range)).type;
}

const wildcard: List = {
  type: { isOpen: true, costPerWord: costPerWordOfWildcard },
  valueOf: (words) => words.map(({ word }) => word).join(' '),
};

function createValues(values: readonly ListValue[], { parse, readWords }: ListOptions): List {
  const states = createAutomaton(
    values.map(({ in: said }) => parse(said)),
    { readWords },
  );
  if (states.some(({ slots }) => slots.length > 0)) throw new Error('a value of a list has a slot');
  return {
    type: { ends: (words, from) => wholeFrom(words, from, states) },
    valueOf(words) {
      let at: number | undefined = 0;
      for (const { word } of words) at = states[at ?? -1]?.words.get(word);
      const found = states[at ?? -1]?.sentence ?? null;
      return found === null || words.length === 0 ? null : (values[found]?.out ?? null);
    },
  };
}

function createRange(range: Range, numbersAt: NumbersAt = () => []): List {
  const foundAt = (words: readonly Word[], from: number) => {
    const digits = digitsAt(words, from);
    const found = digits ? [digits] : numbersAt(words, from);
    return found.filter(({ value }) => isIn(range, value));
  };
  return {
    type: {
      isNumber: true,
      ends: (words, from) => foundAt(words, from).map(({ end }) => end),
    },
    valueOf(words) {
      const whole = foundAt(words, 0).find(({ end }) => end === words.length);
      return whole ? whole.value * range.multiplier : null;
    },
  };
}

function isIn({ from, to, step, fractions }: Range, value: number): boolean {
  const parts = { halves: 2, tenths: 10 };
  const whole = fractions === undefined ? value : Math.floor(value);
  const rest = fractions === undefined ? 0 : (value - whole) * parts[fractions];
  const isOnStep = Number.isInteger((whole - from) / step) && Math.abs(rest - Math.round(rest)) < 1e-9;
  return whole >= from && whole <= to && isOnStep;
}

/** A number in digits, with an optional minus before it or a fraction after it. */
function digitsAt(words: readonly Word[], from: number): { value: number; end: number } | null {
  const isNegative = words[from]?.word === '-';
  const at = isNegative ? from + 1 : from;
  const { word = '' } = words[at] ?? {};
  if (!/^\d+(?:[.,]\d+)?$/.test(word)) return null;
  const value = Number(word.replace(',', '.'));
  return { value: isNegative ? -value : value, end: at + 1 };
}
