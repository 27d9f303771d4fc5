import { z } from 'zod';
import type { Duration, DurationReader } from '../durations/duration-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { DateReader, SaidDate } from './date-reader.ts';
import { dayFrom, numberOf } from './day.ts';
import type { SaidTime, TimeReader } from './time-reader.ts';

const texts = z.array(z.string());

const dayPartNames = ['morning', 'afternoon', 'evening', 'night'] as const;
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
}

export type MomentReader = ReturnType<typeof createMomentReader>;

interface MomentOptions {
  words: MomentWords;
  durations: DurationReader;
  dates: DateReader;
  times: TimeReader;
}

const nothing: SaidMoment = { after: null, date: null, isToday: false, time: null, part: null };

/**
 * Reads moments, their parts in any order: "tomorrow at eight", "at half past seven in the morning", "on Friday at noon", "in ten minutes",
 * "tonight". A number alone is no time of day without an "at", unless `isBare`.
 */
export function createMomentReader({ words, durations, dates, times }: MomentOptions) {
  const afterAt = (said: readonly Word[], at: number): Read<Duration> | null => {
    const from = longestPhraseEnd(words.in, said, at);
    const duration = durations.read(said, from ?? at);
    if (!duration) return null;
    const end = longestPhraseEnd(words.from_now, said, duration.end);
    return from === null && end === null ? null : { ...duration, end: end ?? duration.end };
  };

  const dateAt = (said: readonly Word[], at: number): Read<SaidDate> | null =>
    dates.read(said, at) ?? dates.read(said, longestPhraseEnd(words.on, said, at) ?? said.length);

  const timeAt = (said: readonly Word[], at: number, isBare: boolean): Read<SaidTime> | null => {
    const from = longestPhraseEnd(words.at, said, at);
    const time = times.read(said, from ?? at);
    return time && (from !== null || isBare || time.value.isPlain) ? time : null;
  };

  const partAt = (
    choices: Readonly<Record<DayPart, readonly string[]>>,
    said: readonly Word[],
    at: number,
  ): Read<DayPart> | null => {
    for (const part of dayPartNames) {
      const end = longestPhraseEnd(choices[part], said, at);
      if (end !== null) return { value: part, end };
    }
    return null;
  };

  type Piece = (said: readonly Word[], known: Read<SaidMoment>) => Read<SaidMoment> | null;
  const extended = (known: SaidMoment, piece: Partial<SaidMoment>, end: number) => ({
    value: { ...known, ...piece },
    end,
  });
  const hasDay = ({ date, after, isToday }: SaidMoment) => date !== null || after !== null || isToday;

  const partToday: Piece = (said, { value: known, end: at }) => {
    const part = known.part === null && !hasDay(known) ? partAt(words.parts_today, said, at) : null;
    return part && extended(known, { part: part.value, isToday: true }, part.end);
  };
  const part: Piece = (said, { value: known, end: at }) => {
    const found = known.part === null ? partAt(words.parts, said, at) : null;
    return found && extended(known, { part: found.value }, found.end);
  };
  const after: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : afterAt(said, at);
    // Hours from now are a moment by themselves; days may have a time of day.
    const fits = found !== null && (found.value.days !== null || known === nothing);
    return fits ? extended(known, { after: found.value }, found.end) : null;
  };
  const date: Piece = (said, { value: known, end: at }) => {
    const found = hasDay(known) ? null : dateAt(said, at);
    return found && extended(known, { date: found.value, isToday: isToday(found.value) }, found.end);
  };
  const time =
    (isBare: boolean): Piece =>
    (said, { value: known, end: at }) => {
      const found = known.time === null ? timeAt(said, at, isBare) : null;
      return found && extended(known, { time: found.value }, found.end);
    };

  /** One more piece of a moment, which then has it. */
  const pieceAt = (
    said: readonly Word[],
    known: Read<SaidMoment>,
    isBare: boolean,
  ): Read<SaidMoment> | null => {
    for (const piece of [partToday, part, after, date, time(isBare)]) {
      const found = piece(said, known);
      if (found) return found;
    }
    return null;
  };

  const read = (said: readonly Word[], from: number, isBare: boolean): Read<SaidMoment> | null => {
    let found: Read<SaidMoment> = { value: nothing, end: from };
    for (;;) {
      const isWhole = found.value.after !== null && found.value.after.days === null;
      const next = isWhole ? null : pieceAt(said, found, isBare);
      if (!next) return found.value === nothing ? null : found;
      found = next;
    }
  };

  /** The moment with a part of it corrected: "tomorrow at seven, no, eight". */
  const readCorrected = (said: readonly Word[], from: number, isBare: boolean): Read<SaidMoment> | null => {
    const first = read(said, from, isBare);
    const again = first && durations.correctedAt(said, first.end);
    const second = again === null ? null : read(said, again, true);
    return first && second ? { value: corrected(first.value, second.value), end: second.end } : first;
  };

  return {
    read: (said: readonly Word[], from: number) => readCorrected(said, from, false),
    /** Where only a moment can stand: "for SEVEN". */
    readBare: (said: readonly Word[], from: number) => readCorrected(said, from, true),
  };
}

/** A moment of which a part was said anew. */
function corrected(first: SaidMoment, second: SaidMoment): SaidMoment {
  if (second.after !== null || first.after !== null) return second;
  const day = second.date !== null || second.isToday ? second : first;
  const time = second.time ?? first.time;
  const part = second.part ?? first.part;
  return { after: null, date: day.date, isToday: day.isToday, time, part };
}

/** Whether a date is the day on which it is said, whichever day that is. */
function isToday(date: SaidDate): boolean {
  const days = [20_000, 20_001].map(dayFrom);
  return days.every((day) => {
    const meant = date(day);
    return meant !== null && numberOf(meant) === numberOf(day);
  });
}
