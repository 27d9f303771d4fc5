import { z } from 'zod';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';

const texts = z.array(z.string());

/** Units of time, longest first. */
export const timeUnits = ['week', 'day', 'hour', 'minute', 'second'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** The words of durations. */
export const durationWordsSchema = z.strictObject({
  units: z.record(z.enum(timeUnits), texts.min(1)),
  /** "an hour": one of it. */
  one: texts,
  /** "a couple of minutes" */
  counts: z.record(z.string(), z.int().positive()),
  /** "ABOUT ten minutes" */
  about: texts,
  /** "ten minutes OR SO" */
  or_so: texts,
  /** "half AN hour", "a quarter OF AN hour" */
  between: texts,
  /** "five MORE minutes", "ANOTHER minute" */
  more: texts,
  and: texts,
  /** "five minutes LONGER" */
  longer: texts,
  /** "five minutes, NO WAIT, ten" */
  corrections: texts,
});

export type DurationWords = z.infer<typeof durationWordsSchema>;

export interface Duration {
  /** May be zero or negative, because people say that too. */
  ms: number;
  /**
   * Whole days, if there is no shorter unit. They end at the same time of day, even across a clock change.
   */
  days: number | null;
  /** "five more minutes" */
  isMore: boolean;
}

/** Reads durations: "an hour and a half", "1 hour 20", "a couple of minutes", "five minutes, no, ten". */
export interface DurationReader {
  isUnit(word: string): boolean;
  /** Whether a smaller unit often follows: "an hour | and a half", "two days | and three hours". */
  mayGrow(said: readonly Word[]): boolean;
  /** The position after a correction such as "no" or "sorry, I mean". Null: there is none. */
  correctedAt(said: readonly Word[], from: number): number | null;
  read(said: readonly Word[], from: number): Read<Duration> | null;
}
