import type { GeneratorValue } from 'fast-check';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { firstTimes, type IsOn, zone } from './calendar-days.ts';

/*
 * Requests for reminders and alarms, with days, times of day and orders of words in every combination. Each
 * language has its phrases. A calendar library computes the times that they mean.
 */

/** A request, and what it asks for. */
export interface SaidTime {
  text: string;
  /** When it is said. */
  now: DateTime;
  kind: 'alarm' | 'reminder';
  /** The text of the reminder. */
  label: string | null;
  /**
   * The times that it may mean. Each entry is the first time, and those after it if it repeats. Without
   * entries, it asks for a time that has passed.
   */
  meanings: readonly (readonly DateTime[])[];
}

/** Words with their preposition, and without it: "at seven", "seven". */
export interface Spoken {
  words: string;
  bare: string;
}

/** A spoken time of day; "seven" alone may be in the morning or in the evening. */
export interface SpokenTime extends Spoken {
  at: readonly { hour: number; minute: number }[];
}

/** A spoken day. The first is the likeliest; if the day itself is today, the next one may be meant too. */
export interface SpokenDay extends Spoken {
  on: (now: DateTime) => readonly DateTime[];
}

/** Spoken days that repeat. */
export interface SpokenOften extends Spoken {
  isOn: IsOn;
}

/** A spoken length from now. Hours and minutes count exactly, and days and longer keep the time of day. */
export interface SpokenLength extends Spoken {
  after: Record<string, number>;
}

/** The time of a request in words: a length alone, or a time of day, with or without a day. */
export type SpokenWhen = { length: Spoken } | { time: Spoken; day: Spoken | null };

/** The phrases of a language. */
export interface Phrases {
  time: (g: GeneratorValue) => SpokenTime;
  day: (g: GeneratorValue) => SpokenDay;
  length: (g: GeneratorValue) => SpokenLength;
  often: (g: GeneratorValue) => SpokenOften;
  request: (g: GeneratorValue, when: SpokenWhen) => Pick<SaidTime, 'text' | 'kind' | 'label'>;
}

export const oneOf = <T>(g: GeneratorValue, all: readonly T[]): T =>
  g((from: readonly T[]) => fc.constantFrom(...from), all);
export const whole = (g: GeneratorValue, min: number, max: number): number => g(fc.integer, { min, max });
export const isHeads = (g: GeneratorValue): boolean => g(fc.boolean);
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Any second from 2026 to 2031. */
function aMoment(g: GeneratorValue): DateTime {
  const [first, last] = [2026, 2032].map((year) => Math.floor(Date.UTC(year, 0, 1) / 1_000));
  return DateTime.fromSeconds(whole(g, first ?? 0, last ?? 0), { zone });
}

/** A request for one time. */
export function saidOnce(g: GeneratorValue, phrases: Phrases): SaidTime {
  const now = aMoment(g);
  if (whole(g, 1, 5) === 1) {
    const length = phrases.length(g);
    return { ...phrases.request(g, { length }), now, meanings: [[now.plus(length.after)]] };
  }
  const time = phrases.time(g);
  const of = (day: DateTime) => time.at.map((each) => day.set(each));
  if (whole(g, 1, 5) === 1) {
    const today = now.startOf('day');
    // Sets the time on the day itself, because the clock may skip that time on the day before.
    const tomorrow = of(today.plus({ days: 1 }));
    const meanings = of(today).map((due, at) => [due > now ? due : (tomorrow[at] ?? due)]);
    return { ...phrases.request(g, { time, day: null }), now, meanings };
  }
  const day = phrases.day(g);
  const meanings = day
    .on(now)
    .flatMap(of)
    .filter((due) => due > now)
    .map((due) => [due]);
  return { ...phrases.request(g, { time, day }), now, meanings };
}

/** A request for a time that repeats. */
export function saidOften(g: GeneratorValue, phrases: Phrases): SaidTime {
  const now = aMoment(g);
  const [time, often] = [phrases.time(g), phrases.often(g)];
  const meanings = time.at.map((each) => firstTimes(often.isOn, now.startOf('minute'), each));
  return { ...phrases.request(g, { time, day: often }), now, meanings };
}
