import { z } from 'zod';
import { createNameReader } from '../grammar/name-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { add, type Fraction, fraction } from '../numbers/fraction.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';
import { phraseSchema } from '../phrase.ts';
import { convert, type Measured } from './convert.ts';
import { type UnitName, unitNames } from './units.ts';

const texts = z.array(z.string());

/** The words of units and of how much there is of one. */
export const measureWordsSchema = z.strictObject({
  one: texts,
  between: texts,
  and: texts,
  and_a_half: texts,
  /** The unit of a number that stands alone behind another: "five foot eleven". */
  implied: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  degrees: texts,
  other_degrees: z.partialRecord(z.enum(unitNames), z.enum(unitNames)),
  amount: phraseSchema(['n', 'unit']),
  /** The name for one, the name for several, then all others. */
  units: z.record(z.enum(unitNames), texts.min(2)),
});

export type MeasureWords = z.infer<typeof measureWordsSchema>;

/** An amount of a unit, and how it is said. */
export interface Measure extends Measured {
  /** "5 feet 6 inches": each part as it was said. */
  parts: readonly Measured[];
}

/** Reads units, and how much there is of them: "350 degrees Fahrenheit", "half a cup", "five foot six inches". */
export function createMeasureReader(words: MeasureWords, numbers: NumberReader) {
  const units = new Map<string, UnitName>();
  for (const unit of unitNames) for (const name of words.units[unit]) units.set(name.toLowerCase(), unit);

  const readUnit = createNameReader(units);

  /** "half", "2.5"; "a" counts as one, and so does nothing at all. */
  const readCount = (said: readonly Word[], from: number): Read<Fraction> => {
    const number = numbers.read(said, from);
    if (number) return { value: number.value, end: skipPhrase(words.between, said, number.end) };
    return { value: fraction(1), end: skipPhrase(words.one, said, from) };
  };

  const readPart = (said: readonly Word[], from: number): Read<Measured> | null => {
    const count = readCount(said, from);
    const unit = readUnit(said, count.end);
    if (!unit) return null;
    const half = longestPhraseEnd(words.and_a_half, said, unit.end);
    const value = half ? add(count.value, fraction(1, 2)) : count.value;
    return { value: { value, unit: unit.value }, end: half ?? unit.end };
  };

  /** "six inches" behind "five feet": a smaller unit of the same kind. */
  const readMore = (said: readonly Word[], first: Read<Measured>): Read<Measured> | null => {
    const at = skipPhrase(words.and, said, first.end);
    const count = numbers.read(said, at);
    if (!count) return null;
    const more = readPart(said, at);
    if (more) return typeof convert(more.value, first.value.unit) === 'string' ? null : more;
    const unit = words.implied[first.value.unit];
    return unit && at === first.end ? { value: { value: count.value, unit }, end: count.end } : null;
  };

  return {
    readUnit,
    /** "350 degrees", without saying Fahrenheit or Celsius. */
    readDegrees(said: readonly Word[], from: number): Read<Fraction> | null {
      const count = numbers.read(said, from);
      const end = count && skipPhrase(words.degrees, said, count.end);
      return count && end !== null && end > count.end ? { value: count.value, end } : null;
    },
    read(said: readonly Word[], from: number): Read<Measure> | null {
      const first = readPart(said, from);
      if (!first) return null;
      const more = readMore(said, first);
      const added = more && convert(more.value, first.value.unit);
      if (!more || !added || typeof added === 'string') {
        return { value: { ...first.value, parts: [first.value] }, end: first.end };
      }
      const whole = { ...first.value, value: add(first.value.value, added) };
      return { value: { ...whole, parts: [first.value, more.value] }, end: more.end };
    },
  };
}
