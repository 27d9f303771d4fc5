import { z } from 'zod';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { Day } from './day.ts';

const texts = z.array(z.string());

/** Words for a date relative to another date. */
export const relativeDateWordsSchema = z.strictObject({
  /** "A week", "A COUPLE OF weeks", "HALF A year": counts that are not number words. */
  counts: z.record(z.string(), z.number().positive()),
  /** Lengths in months. */
  months: z.record(z.string(), z.int().positive()),
  /** "THE DAY before Christmas" */
  the_day: texts,
  /** "two days BEFORE Christmas" */
  before: texts,
  /** "a week FROM Friday" */
  after: texts,
  /** "a week ON Tuesday" */
  on: texts,
  /** "AM 8.", "LE 8": words before a plain number that make it a day of the month. */
  on_the: texts.default([]),
  /** Words behind such a number that make it something else: "am 8. JEDES Monats", "le 8 DE chaque mois". */
  not_alone: texts.default([]),
  /** "Tuesday WEEK", "the Friday AFTER NEXT" */
  week_later: texts,
  /** "tomorrow WEEK", "Thursday FORTNIGHT": days behind the name of a day. */
  lengths_later: z.record(z.string(), z.int().positive()).default({}),
  /** "Tuesday NEXT WEEK" */
  weeks_away: z.record(z.string(), z.int()),
  /** "THE END of the month" */
  last_of: texts,
  /** "THE BEGINNING of next month" */
  first_of: texts,
  /** "the end of THE MONTH" */
  any_month: texts,
  /** "the end of THE YEAR" */
  this_year: texts,
});

export interface DateWords {
  /** Lengths in days: "two WEEKS before Christmas". */
  lengths: Readonly<Record<string, number>>;
  relative: z.infer<typeof relativeDateWordsSchema>;
  months: readonly string[];
  /** "12/24" is the 24th of December. */
  month_first: boolean;
  /** Words before such a date, beside those of a day: "UNTIL 12/24". Alone it is a division. */
  before_figures: readonly string[];
  /** Sunday first. */
  weekdays: readonly string[];
  the: readonly string[];
  of: readonly string[];
  next: readonly string[];
  /** The last Friday OF or IN December. */
  in: readonly string[];
  last: readonly string[];
  /** Unnamed months, by their distance from the current one. */
  months_away: Readonly<Record<string, number>>;
  /** Names of days, by their distance from today. */
  days: Readonly<Record<string, number>>;
  feasts: Readonly<Record<string, string>>;
}

/** A spoken date; the day depends on today. */
export type SaidDate = (today: Day) => Day | null;

/**
 * Reads "tomorrow", "Friday", "Christmas", "the 24th of May", "December 24th 2027", "the last Friday of May",
 * "a week from Friday". A date without a year is the next one.
 */
export interface DateReader {
  read(said: readonly Word[], from: number): Read<SaidDate> | null;
  /** "two months", "a fortnight": the day that far from today. */
  readAhead(said: readonly Word[], from: number): Read<SaidDate> | null;
  /** "Friday": Sunday is 0. */
  readWeekday(said: readonly Word[], from: number): Read<number> | null;
  /** 1 is January. Null: no month. */
  monthNumber(word: string): number | null;
}
