import { z } from 'zod';
import { type DayPart, dayPartNames } from '../../../language/calendar/moment-reader.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';

const texts = z.array(z.string());
/** A recurrence rule, and the part of the day that is said with it: "FREQ=DAILY morning". Empty: it is understood, and not offered. */
const rules = z.record(z.string(), z.string());
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

export const repeatWordsSchema = z.strictObject({
  every: texts,
  every_what: rules,
  regularly: rules,
  /** "every OTHER Monday" */
  every_other: texts,
  /** "ON Mondays" */
  on_days: texts,
  /** "ON THE 30th of every month" */
  on_the: texts,
  /** "the first DAY of every month" */
  day: texts,
  /** "the 30th OF EVERY MONTH" */
  of_every_month: texts,
  /** "every 30th OF THE MONTH" */
  of_the_month: texts,
  /** "Mondays AND Fridays" */
  and_days: texts,
  /** The names of a weekday: of one, and of several. */
  week: z.record(z.enum(weekdayCodes), z.tuple([z.string(), z.string()])),
});

type RepeatWords = z.infer<typeof repeatWordsSchema>;

/** How often, as it was said. */
export interface SaidRepeat {
  /** Of RFC 5545; null: as often as no alarm repeats. */
  rule: string | null;
  part: DayPart | null;
}

interface RepeatReaderOptions {
  words: RepeatWords;
  durations: DurationReader;
  numbers: Pick<NumberReader, 'readOrdinal'>;
}

/** Reads "every day", "every other Monday", "every two weeks", "on Mondays and Fridays", "on the 30th of every month", "daily". */
export function createRepeatReader({ words, durations, numbers }: RepeatReaderOptions) {
  const ofPhrase = (phrases: Readonly<Record<string, string>>, said: readonly Word[], at: number) => {
    const end = longestPhraseEnd(Object.keys(phrases), said, at);
    if (end === null) return null;
    const phrase = said.slice(at, end).map(({ word }) => word);
    const [rule = '', name] = (phrases[phrase.join(' ')] ?? '').split(' ');
    const part = dayPartNames.find((each) => each === name) ?? null;
    return { value: { rule: rule === '' ? null : rule, part }, end };
  };

  const dayAt = (said: readonly Word[], at: number, isSeveral: boolean) =>
    weekdayCodes.find((code) => {
      const [one, several] = words.week[code];
      const { word } = said[at] ?? {};
      return word === several || (!isSeveral && word === one);
    });
  /** "Mondays, Wednesdays and Fridays". */
  const daysAt = (said: readonly Word[], from: number, isSeveral: boolean): Read<string> | null => {
    const codes = new Set<string>();
    let end = from;
    for (let at = from; ; ) {
      const code = dayAt(said, at, isSeveral);
      if (code === undefined) break;
      codes.add(code);
      end = at + 1;
      at = longestPhraseEnd(words.and_days, said, end) ?? end;
    }
    const inOrder = weekdayCodes.filter((code) => codes.has(code));
    return inOrder.length === 0 ? null : { value: inOrder.join(','), end };
  };
  const weekly = (days: Read<string> | null, more = ''): Read<SaidRepeat> | null =>
    days && { value: { rule: `FREQ=WEEKLY${more};BYDAY=${days.value}`, part: null }, end: days.end };

  /** "30th of every month". */
  const monthly = (said: readonly Word[], at: number, behind: readonly string[]): Read<SaidRepeat> | null => {
    const place = numbers.readOrdinal(said, at);
    if (!place || place.value < 1 || place.value > 31) return null;
    const end = longestPhraseEnd(behind, said, skipPhrase(words.day, said, place.end));
    return end === null ? null : { value: { rule: monthlyRule(place.value), part: null }, end };
  };

  const everyLength = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const found = durations.read(said, at);
    if (!found) return null;
    const { days, ms } = found.value;
    const count = days !== null && days > 0 && ms === days * 24 * 3_600_000 ? days : null;
    // Of weeks nobody said on which day.
    const rule = count === null || count % 7 === 0 ? null : `FREQ=DAILY;INTERVAL=${count}`;
    return { value: { rule, part: null }, end: found.end };
  };

  return (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const on = longestPhraseEnd(words.on_days, said, at) ?? at;
    const regularly =
      ofPhrase(words.regularly, said, at) ??
      monthly(said, skipPhrase(words.on_the, said, at), words.of_every_month) ??
      weekly(daysAt(said, on, true));
    if (regularly) return regularly;
    const from = longestPhraseEnd(words.every, said, at);
    if (from === null) return null;
    const other = longestPhraseEnd(words.every_other, said, from);
    return (
      ofPhrase(words.every_what, said, from) ??
      weekly(other === null ? null : daysAt(said, other, false), ';INTERVAL=2') ??
      weekly(daysAt(said, from, false)) ??
      monthly(said, from, words.of_the_month) ??
      everyLength(said, from)
    );
  };
}

/** Every month has 28 days. In one that has no such day it is its last. */
function monthlyRule(day: number): string {
  if (day <= 28) return `FREQ=MONTHLY;BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - 27 }, (_, at) => 28 + at);
  return `FREQ=MONTHLY;BYMONTHDAY=${days.join(',')};BYSETPOS=-1`;
}
