import { z } from 'zod';
import type { Duration, DurationReader } from '../durations/duration-reader.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { DateReader, SaidDate } from './date-reader.ts';
import { periodNames, type SaidPeriod } from './period.ts';
import type { SaidTime, TimeReader } from './time-reader.ts';

const texts = z.array(z.string());

export const dayPartNames = ['morning', 'afternoon', 'evening', 'night'] as const;
export type DayPart = (typeof dayPartNames)[number];

/** Words for moments. */
export const momentWordsSchema = z.strictObject({
  /** "IN ten minutes" */
  in: texts,
  /** "AT seven" */
  at: texts,
  /** "ON the 24th" */
  on: texts,
  /** Keeps the current time of day: "THIS TIME tomorrow"; and days from now, behind it: "NEXT WEEK". */
  same_time: texts.default([]),
  same_time_ahead: z.record(z.string(), z.int().positive()).default({}),
  /** Between a time and its day, in positions where only a moment fits: "an alarm at ten FOR tomorrow" */
  between: texts.default([]),
  /** "half an hour BEFORE seven" */
  time_before: texts.default([]),
  time_after: texts.default([]),
  /** "FROM NOW", after a duration */
  from_now: texts,
  /** Periods that name no single day: "this weekend", "next week". */
  vague: z.partialRecord(z.enum(periodNames), texts).default({}),
  /** Words before them: "SOMETIME next week", "ON the weekend". */
  vague_from: texts.default([]),
  /** Lengths without a number, by their unit: "in A BIT", "in A FEW HOURS". */
  soon: z.strictObject({ minutes: texts, hours: texts }).default({ minutes: [], hours: [] }),
  /** Times of day that only the household knows: "at BREAKFAST", and the words before them. */
  own_times: texts.default([]),
  own_times_from: texts.default([]),
  parts: z.record(z.enum(dayPartNames), texts),
  /** Parts of today: "tonight", "this evening". */
  parts_today: z.record(z.enum(dayPartNames), texts),
  /** "EARLY MORNING": a part whose usual time does not fit. */
  parts_open: z.partialRecord(z.enum(dayPartNames), texts).default({}),
  /** Of these, the words for a night before sleep: "TONIGHT at four" needs "a.m." or "p.m.". */
  before_sleep: texts.default([]),
  /** "A MORNING alarm": behind another word, a part of the day ends a name, as in "quiz NIGHT". */
  before_parts: texts.default([]),
});

type MomentWords = z.infer<typeof momentWordsSchema>;

/** A spoken moment. Its time depends on the current time. */
export interface SaidMoment {
  /** "in ten minutes" */
  after: Duration | null;
  date: SaidDate | null;
  /** "today", "tonight": only this day. */
  isToday: boolean;
  time: SaidTime | null;
  part: DayPart | null;
  /** "tonight": includes the small hours only if the person names them. */
  isBeforeSleep?: true;
  /** "this weekend", "in September": the day is open, within this period if it has one. */
  isVague?: true;
  /** "Late afternoon": the time must be said. */
  isOpenPart?: true;
  period?: SaidPeriod | undefined;
  /** "at breakfast": the time of day is open. */
  isOwnTime?: true;
  /** "in a bit", "in a few hours": the number of this unit is open. */
  soon?: 'minutes' | 'hours';
  /** "in a month": keeps the current time of day, unless another one is spoken. */
  keepsTime?: true;
}

/** A moment without any part. */
export const noMoment: SaidMoment = { after: null, date: null, isToday: false, time: null, part: null };

/** The words of moments, and the readers of their parts. */
export interface MomentParts {
  words: MomentWords;
  durations: DurationReader;
  dates: DateReader;
  times: TimeReader;
}

/**
 * Reads moments with their parts in any order: "tomorrow at eight", "on Friday at noon", "in ten minutes",
 * "tonight". A bare number needs an "at"; only `readBare` takes it for a time of day.
 */
export interface MomentReader {
  read(said: readonly Word[], from: number): Read<SaidMoment> | null;
  /** For positions where only a moment fits: "for SEVEN". */
  readBare(said: readonly Word[], from: number): Read<SaidMoment> | null;
}
