import { createMeasureReader } from '../en/measure-reader.ts';
import { createMomentReader } from '../en/moment-reader.ts';
import { createSumReader } from '../en/sum-reader.ts';
import type { LanguageRules } from '../rules.ts';
import { createSpanishDateReader } from './date-reader.ts';
import { createSpanishDurationReader } from './duration-reader.ts';
import { createSpanishNumberReader } from './number-reader.ts';
import { spanishSoundsOf } from './sounds.ts';
import { createSpanishTimeReader } from './time-reader.ts';

/** Words that change before others, and what they become. */
const agreements: readonly [before: RegExp, changed: string][] = [
  // "Son las 2:20", but "Es la 1:20".
  [/\bSon las (?=1:\d\d)/g, 'Es la '],
  [/\bson las (?=1:\d\d)/g, 'es la '],
  [/\b([Ss]er)án las (?=1:\d\d)/g, '$1á la '],
  [/\b([Ee]r)an las (?=1:\d\d)/g, '$1a la '],
  [/\b([Ll])as (?=1:\d\d)/g, '$1a '],
  // "quedan dos minutos", but "queda un minuto".
  [/\b([Qq])uedan (?=una? )/g, '$1ueda '],
  // "de el", "a el"
  [/\b([Dd])e el (?=\p{Ll})/gu, '$1el '],
  [/\b([Aa]) el (?=\p{Ll})/gu, '$1l '],
  // "leche e higos", but "leche y hielo"; "siete u ocho".
  [/ y (?=h?[ií](?![aeo]))/giu, ' e '],
  [/ o (?=h?[oó])/giu, ' u '],
];

/** Spanish. Moments, sums and measures have the same order of words as in English. */
export const spanish: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  ordinalOf: () => 'other',
  soundsOf: spanishSoundsOf,
  agreed: (text) => agreements.reduce((said, [before, changed]) => said.replace(before, changed), text),
  createNumberReader: createSpanishNumberReader,
  createDateReader: createSpanishDateReader,
  createTimeReader: createSpanishTimeReader,
  createDurationReader: createSpanishDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};
