import type { LanguageRules } from '../rules.ts';
import { createDateReader } from './date-reader.ts';
import { createDurationReader } from './duration-reader.ts';
import { createMeasureReader } from './measure-reader.ts';
import { createMomentReader } from './moment-reader.ts';
import { createNumberReader } from './number-reader.ts';
import { soundsOf } from './sounds.ts';
import { createSumReader } from './sum-reader.ts';
import { createTimeReader } from './time-reader.ts';

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

export const english: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  ordinalOf(place) {
    const form = ordinals.select(place);
    return form === 'one' || form === 'two' || form === 'few' ? form : 'other';
  },
  soundsOf,
  createNumberReader,
  createDateReader,
  createTimeReader,
  createDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};
