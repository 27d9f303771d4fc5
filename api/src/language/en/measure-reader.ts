import { createNameReader } from '../grammar/name-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { add, type Fraction, fraction } from '../numbers/fraction.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';
import { convert, type Measured } from '../units/convert.ts';
import type { MeasureReader, MeasureWords } from '../units/measure-reader.ts';
import { type UnitName, unitNames } from '../units/units.ts';

/** English measures: the number before its unit, then a half, then the smaller unit. */
export function createMeasureReader(words: MeasureWords, numbers: NumberReader): MeasureReader {
  const units = new Map<string, UnitName>();
  for (const unit of unitNames) for (const name of words.units[unit]) units.set(name.toLowerCase(), unit);

  const readUnit = createNameReader(units);

  /** "half", "2.5"; "a" or no number counts as one. */
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

  /** "six inches" after "five feet": a smaller unit of the same kind. */
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
    readDegrees(said, from) {
      const count = numbers.read(said, from);
      const end = count && skipPhrase(words.degrees, said, count.end);
      return count && end !== null && end > count.end ? { value: count.value, end } : null;
    },
    read(said, from) {
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
