import { createNameReader } from '../grammar/name-reader.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import { type Day, numberOf } from './day.ts';

/** The time and date in a place, as a wall clock and a calendar show them. */
export interface LocalTime extends Day {
  hour: number;
  minute: number;
}

/** A clock for every time zone. It caches the formats, because they are slow to create. */
export function createClock() {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const formatOf = (timeZone: string) => {
    const known = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { ...shown, timeZone });
    formats.set(timeZone, known);
    return known;
  };

  return (at: number, timeZone: string): LocalTime => {
    const parts = formatOf(timeZone).formatToParts(at);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((each) => each.type === type)?.value);
    return {
      year: part('year'),
      month: part('month'),
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
    };
  };
}

const shown = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const;

export type PlaceReader = ReturnType<typeof createPlaceReader>;

/**
 * Finds the time zone of a place, by zone names and the language file. A region may follow. It decides if it
 * has a separate zone: Paris, Texas, is not in France.
 */
export function createPlaceReader(
  places: Readonly<Record<string, string>>,
  regions: Readonly<Record<string, string | null>> = {},
) {
  const zones = new Map<string, string>();
  for (const zone of known) {
    const city = zone.split('/').at(-1)?.replaceAll(/[_-]/g, ' ').toLowerCase();
    if (city && /^[a-z ]+$/.test(city)) zones.set(city, zone);
  }
  for (const [place, zone] of Object.entries(places)) zones.set(place, zone);
  const place = createNameReader(zones);
  const region = createNameReader(new Map<string, string | null>([...zones, ...Object.entries(regions)]));
  return {
    read: (said: readonly Word[], from: number): Read<string> | null => {
      const found = place(said, from);
      const behind = found && region(said, found.end);
      return behind ? { value: behind.value ?? found.value, end: behind.end } : found;
    },
  };
}

/** The name of a time zone at a moment, in the language of a tag: "Central European Standard Time". */
export function zoneName(at: number, { timeZone, language }: { timeZone: string; language: string }): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(
    at,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Number of minutes by which the time there is ahead of the time here. */
export function minutesAhead(there: LocalTime, here: LocalTime): number {
  const minutes = (time: LocalTime) => (numberOf(time) * 24 + time.hour) * 60 + time.minute;
  return minutes(there) - minutes(here);
}

/** Checks the list first: creating a format for each name would be the slowest part of startup. */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'));
