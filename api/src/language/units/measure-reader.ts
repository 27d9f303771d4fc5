import { z } from 'zod';
import type { Word } from '../grammar/words.ts';
import type { Fraction } from '../numbers/fraction.ts';
import type { Read } from '../numbers/number-reader.ts';
import { phraseSchema } from '../phrase.ts';
import type { Measured } from './convert.ts';
import { type UnitName, unitNames } from './units.ts';

const texts = z.array(z.string());

/** Words for units and amounts. */
export const measureWordsSchema = z.strictObject({
  one: texts,
  between: texts,
  and: texts,
  and_a_half: texts,
  /** The unit of a bare number after another measure: "five foot eleven". */
  implied: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  /** The smaller unit for the remainder of this one: "22 pounds and 0.7 ounces". */
  rest: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  degrees: texts,
  /** The meaning of a mass unit next to a volume unit: an ounce of milk is a fluid ounce. */
  fluid: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  other_degrees: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  amount: phraseSchema(['n', 'unit']),
  /** The singular name, the plural name, then all others. */
  units: z.record(z.enum(unitNames), texts.min(2)),
});

export type MeasureWords = z.infer<typeof measureWordsSchema>;

/** An amount of a unit, and its wording. */
export interface Measure extends Measured {
  /** "5 feet 6 inches": each part as spoken. */
  parts: readonly Measured[];
}

/** Reads units and amounts: "350 degrees Fahrenheit", "half a cup", "five foot six inches". */
export interface MeasureReader {
  readUnit(said: readonly Word[], from: number): Read<UnitName> | null;
  /** "350 degrees", without saying Fahrenheit or Celsius. */
  readDegrees(said: readonly Word[], from: number): Read<Fraction> | null;
  read(said: readonly Word[], from: number): Read<Measure> | null;
}
