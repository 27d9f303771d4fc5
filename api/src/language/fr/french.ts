import { createDurationReader } from '../en/duration-reader.ts';
import { createMeasureReader } from '../en/measure-reader.ts';
import { createMomentReader } from '../en/moment-reader.ts';
import { createSumReader } from '../en/sum-reader.ts';
import type { LanguageRules } from '../rules.ts';
import { createFrenchDateReader } from './date-reader.ts';
import { createFrenchNumberReader } from './number-reader.ts';
import { frenchSoundsOf } from './sounds.ts';
import { createFrenchTimeReader } from './time-reader.ts';

const plurals = new Intl.PluralRules('fr');

/** French. Durations, moments, sums and measures have the same order of words as in English. */
export const french: LanguageRules = {
  // "0 jour", "1,5 litre": the plural begins at two.
  formOf: (count) => (plurals.select(numberOf(count)) === 'one' ? 'one' : 'other'),
  // "le 1er mai", "le 2 mai".
  ordinalOf: (place) => (place === 1 ? 'one' : 'other'),
  soundsOf: frenchSoundsOf,
  createNumberReader: createFrenchNumberReader,
  createDateReader: createFrenchDateReader,
  createTimeReader: createFrenchTimeReader,
  createDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};

/** A count, or a number as it is written in French. Groups of digits make it large. */
function numberOf(count: number | string): number {
  return typeof count === 'number' ? count : Number(count.replaceAll(/\s/g, '').replace(',', '.'));
}
