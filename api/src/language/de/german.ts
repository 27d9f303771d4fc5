import { createDateReader } from '../en/date-reader.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import { createMeasureReader } from '../en/measure-reader.ts';
import { createMomentReader } from '../en/moment-reader.ts';
import { createSumReader } from '../en/sum-reader.ts';
import type { LanguageRules } from '../rules.ts';
import { createGermanNumberReader } from './number-reader.ts';
import { germanSoundsOf } from './sounds.ts';
import { createGermanTimeReader } from './time-reader.ts';

/** The rules of German. Dates, durations and moments have the word order of English. */
export const german: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  // "der 3. Mai": all ordinals have the same ending.
  ordinalOf: () => 'other',
  soundsOf: germanSoundsOf,
  createNumberReader: createGermanNumberReader,
  createDateReader,
  createTimeReader: createGermanTimeReader,
  createDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};
