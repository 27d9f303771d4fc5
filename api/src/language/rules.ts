import type { DateReader, DateWords } from './calendar/date-reader.ts';
import type { MomentParts, MomentReader } from './calendar/moment-reader.ts';
import type { TimeReader, TimeWords } from './calendar/time-reader.ts';
import type { DurationReader, DurationWords } from './durations/duration-reader.ts';
import type { NumberReader, NumberWords } from './numbers/number-reader.ts';
import type { SumReader } from './sums/sum-reader.ts';
import type { SumWords } from './sums/sum-words.ts';
import type { MeasureReader, MeasureWords } from './units/measure-reader.ts';

/** The form of a word after a number. */
type Form = 'one' | 'other';

/**
 * The rules of a language that a word list cannot hold: forms and word order. Everything else is in its
 * files.
 */
export interface LanguageRules {
  /** The form after a count or a written number: "1 kilometre", but "1.0 kilometres". */
  formOf(count: number | string): Form;
  /** The ordinal ending: 1st, 2nd, 3rd, 4th. */
  ordinalOf(place: number): 'one' | 'two' | 'few' | 'other';
  /** The sound of a word, one letter per sound: see `sound-distance.ts`. */
  soundsOf(word: string): string;
  /** Replies whose words agree with their neighbours: "Son las 1:20" becomes "Es la 1:20". */
  agreed?(text: string): string;
  createNumberReader(words: NumberWords): NumberReader;
  createDateReader(words: DateWords, numbers: NumberReader): DateReader;
  createTimeReader(words: TimeWords, numbers: NumberReader): TimeReader;
  createDurationReader(words: DurationWords, numbers: NumberReader): DurationReader;
  createMomentReader(parts: MomentParts): MomentReader;
  createSumReader(words: SumWords, numbers: NumberReader): SumReader;
  createMeasureReader(words: MeasureWords, numbers: NumberReader): MeasureReader;
}
