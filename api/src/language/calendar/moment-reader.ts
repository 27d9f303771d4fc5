import { z } from 'zod';
import type { Duration, DurationReader } from '../durations/duration-reader.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { DateReader, SaidDate } from './date-reader.ts';
import type { SaidTime, TimeReader } from './time-reader.ts';

const texts = z.array(z.string());

export const dayPartNames = ['morning', 'afternoon', 'evening', 'night'] as const;
export type DayPart = (typeof dayPartNames)[number];

/** How moments are said. */
export const momentWordsSchema = z.strictObject({
  /** "IN ten minutes" */
  in: texts,
  /** "AT seven" */
  at: texts,
  /** "ON the 24th" */
  on: texts,
  /** "FROM NOW", behind a duration */
  from_now: texts,
  /** Days of which it is not said which one: "this weekend", "next week". */
  vague: texts.default([]),
  /** Before them: "SOMETIME next week", "ON the weekend". */
  vague_from: texts.default([]),
  parts: z.record(z.enum(dayPartNames), texts),
  /** Parts of today: "tonight", "this evening". */
  parts_today: z.record(z.enum(dayPartNames), texts),
});

export type MomentWords = z.infer<typeof momentWordsSchema>;

/** A moment as it was said; when that is depends on now. */
export interface SaidMoment {
  /** "in ten minutes" */
  after: Duration | null;
  date: SaidDate | null;
  /** "today", "tonight": this day and no other. */
  isToday: boolean;
  time: SaidTime | null;
  part: DayPart | null;
  /** "this weekend", "in September": it is not said on which day. */
  isVague?: true;
  /** "in a month": at the time of day at which it is said, unless another one is said. */
  keepsTime?: true;
}

/** The words of moments, and the readers of what they are made of. */
export interface MomentParts {
  words: MomentWords;
  durations: DurationReader;
  dates: DateReader;
  times: TimeReader;
}

/**
 * Reads moments, their parts in any order: "tomorrow at eight", "at half past seven in the morning", "on Friday at noon", "in ten minutes",
 * "tonight". A number alone is no time of day without an "at"; `readBare` takes it for one.
 */
export interface MomentReader {
  read(said: readonly Word[], from: number): Read<SaidMoment> | null;
  /** Where only a moment can stand: "for SEVEN". */
  readBare(said: readonly Word[], from: number): Read<SaidMoment> | null;
}
