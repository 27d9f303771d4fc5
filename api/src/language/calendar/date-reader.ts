import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { Day } from './day.ts';

export interface DateWords {
  months: readonly string[];
  /** Sunday first. */
  weekdays: readonly string[];
  the: readonly string[];
  of: readonly string[];
  next: readonly string[];
  /** The last Friday OF or IN December. */
  in: readonly string[];
  last: readonly string[];
  /** Months without their names, by their distance from this one. */
  months_away: Readonly<Record<string, number>>;
  /** Names of days, by their distance from today. */
  days: Readonly<Record<string, number>>;
  feasts: Readonly<Record<string, string>>;
}

/** A date as it was said; which day that is depends on today. */
export type SaidDate = (today: Day) => Day | null;

/** Reads "tomorrow", "Friday", "Christmas", "the 24th of May", "December 24th 2027", "the last Friday of May". A date without a year is the next one. */
export interface DateReader {
  read(said: readonly Word[], from: number): Read<SaidDate> | null;
}
