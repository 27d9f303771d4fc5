import { createGermanNumberReader } from '../de/number-reader.ts';
import { createGermanTimeReader } from '../de/time-reader.ts';
import { createMeasureReader } from '../en/measure-reader.ts';
import { createMomentReader } from '../en/moment-reader.ts';
import { createSumReader } from '../en/sum-reader.ts';
import { createSpanishDateReader } from '../es/date-reader.ts';
import type { LanguageRules } from '../rules.ts';
import { createDutchDurationReader } from './duration-reader.ts';
import { dutchSoundsOf } from './sounds.ts';

/**
 * The rules of Dutch. Numbers and times of day have the order of German, dates that of Spanish ("24
 * december").
 */
export const dutch: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  // "de 3e": all ordinals in digits have the same ending.
  ordinalOf: () => 'other',
  soundsOf: dutchSoundsOf,
  createNumberReader: createGermanNumberReader,
  createDateReader: createSpanishDateReader,
  createTimeReader: createGermanTimeReader,
  createDurationReader: createDutchDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};
