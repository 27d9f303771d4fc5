import { z } from 'zod';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';

const texts = z.array(z.string());

/** The words of times of day. */
export const timeWordsSchema = z.strictObject({
  am: texts,
  pm: texts,
  /** "eleven AT NIGHT" is before midnight, and "three AT NIGHT" after it. */
  night: texts.default([]),
  oclock: texts,
  noon: texts,
  midnight: texts,
  /** "half PAST seven", "twenty TO eight" */
  past: texts,
  to: texts,
  /** Of these, the words that may end a time: "half PAST". */
  any_hour: texts.default([]),
  /** "las ocho MENOS cuarto": minutes to subtract, after the hour. */
  less: texts.default([]),
  half: texts,
  /** "HALF seven" in minutes from the hour: 30 means half past it, -30 half an hour before it. */
  half_alone: z.union([z.literal(30), z.literal(-30)]),
  quarter: texts,
  /** "DREIVIERTEL acht": a quarter of an hour before it. */
  three_quarters: texts.default([]),
  /** Number words that are an hour only before "o'clock": "EIN Uhr", but "schalte den Wecker EIN". */
  no_hours: texts.default([]),
  /** "ten MINUTES to eight" */
  minutes: texts,
  /** "seven OH five" */
  oh: texts,
  /** "06H30" */
  hour_signs: texts.default([]),
  /** Only an hour with two digits comes before such a sign: "1H15" is a length. */
  long_hours: z.boolean().default(false),
  /** "0905 HOURS" */
  clock_hours: texts.default([]),
});

export type TimeWords = z.infer<typeof timeWordsSchema>;

/** A spoken time of day. */
export interface SaidTime {
  /** 0 to 24. */
  hour: number;
  minute: number;
  /** The half of the day, if the words give it: "7 p.m.", "19:30". */
  half: 'am' | 'pm' | null;
  /** It is unambiguously a time: "7:30", "half past seven", "seven o'clock". */
  isPlain: boolean;
  /** "half past": in the next hour that has it. */
  isAnyHour?: true | undefined;
}

/**
 * Reads times of day: "seven", "7:30", "half past seven", "twenty to eight", "seven oh five", "6 p.m.",
 * "noon".
 */
export interface TimeReader {
  read(said: readonly Word[], from: number): Read<SaidTime> | null;
}

/**
 * Reads a time that was found in minutes of the day, from `from` to `end`. The reader gets it in digits,
 * because it also reads the words that may follow.
 */
export function readInDigits(
  reader: TimeReader,
  said: readonly Word[],
  { from, minutes, end }: { from: number; minutes: number; end: number },
): Read<SaidTime> | null {
  const word = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  const inDigits: Word = { start: 0, end: 0, gap: '', ...said[from], word };
  const read = reader.read(said.toSpliced(from, end - from, inDigits), from);
  return read && { ...read, end: read.end + end - from - 1 };
}
