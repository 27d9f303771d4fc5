import { z } from 'zod';
import type { Word } from '../grammar/words.ts';
import type { Fraction } from './fraction.ts';
import { marksSchema, type NumberMarks } from './marks.ts';

const values = z.record(z.string(), z.number().nonnegative());
const words = z.array(z.string());

/** The words of numbers: `numbers.yaml`. */
export const numbersSchema = z.strictObject({
  marks: marksSchema,
  ones: values,
  tens: values,
  hundred: words,
  scales: values,
  one: words,
  and: words,
  point: words,
  minus: words,
  groups: values,
  parts: values,
  ordinals: values,
  ordinal_endings: words,
});

export type NumberWords = z.infer<typeof numbersSchema>;

/** A value, and the position after it. */
export interface Read<T> {
  value: T;
  end: number;
}

/**
 * Reads spoken and written numbers: "twenty-five", "25", "a hundred and five", "two and a half", "minus three
 * point five".
 */
export interface NumberReader {
  marks: NumberMarks;
  read(said: readonly Word[], from: number): Read<Fraction> | null;
  /** "third", "twenty-first", "3rd": ordinal numbers. */
  readOrdinal(said: readonly Word[], from: number): Read<number> | null;
}

/** A whole number at this position. Null: there is none. */
export function readWhole(
  numbers: Pick<NumberReader, 'read'>,
  said: readonly Word[],
  at: number,
): Read<number> | null {
  const found = numbers.read(said, at);
  return found?.value.bottom === 1n ? { value: Number(found.value.top), end: found.end } : null;
}

/** Reads a whole number from 0 to a maximum. */
export const createWholeReader =
  (numbers: Pick<NumberReader, 'read'>) =>
  (said: readonly Word[], at: number, max: number): Read<number> | null => {
    const whole = readWhole(numbers, said, at);
    return whole && whole.value >= 0 && whole.value <= max ? whole : null;
  };
