import type { z } from 'zod';
import type { PlaceReader } from '../../../language/calendar/time-zones.ts';
import { createNameReader } from '../../../language/grammar/name-reader.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { clockWordsSchema } from './clock-language.ts';

/** People do not ask about dates further away. */
const maxDaysAhead = 100_000;

/** The place of a time. A null zone means the household's. */
export interface TimePlace {
  kind: 'place' | 'zone' | 'here';
  zone: string | null;
}

/** Reads a year of four digits, also in pairs. */
function createYearReader(numbers: NumberReader) {
  const wholeAt = (said: readonly Word[], at: number): Read<number> | null => {
    const number = numbers.read(said, at);
    return number?.value.bottom === 1n ? { value: Number(number.value.top), end: number.end } : null;
  };
  return (said: readonly Word[], from: number): Read<number> | null => {
    const first = wholeAt(said, from);
    if (!first || first.value > 9_999) return null;
    if (first.value >= 1_000) return first;
    const second = first.value >= 10 && first.value <= 99 ? wholeAt(said, first.end) : null;
    if (!second || second.value < 10 || second.value > 99) return null;
    return { value: first.value * 100 + second.value, end: second.end };
  };
}

export type ClockReaders = ReturnType<typeof createClockReaders>;

/** Readers only the clock needs: zones by name, lengths in days, weekdays. */
export function createClockReaders(words: z.infer<typeof clockWordsSchema>, numbers: NumberReader) {
  const zones = new Map<string, string>();
  const bareZones = new Map<string, string>();
  for (const [name, zone] of Object.entries(words.zones)) {
    const kinds = ['', ...words.zone_kinds].map((kind) => `${name} ${kind}`.trim());
    // A short name, such as "est", is clear without "time". So is "eastern standard".
    for (const kind of kinds) if (name.length <= 4 || kind !== name) zones.set(kind, zone);
    for (const kind of kinds) bareZones.set(kind, zone);
    for (const kind of kinds) for (const word of words.zone_words) zones.set(`${kind} ${word}`, zone);
  }
  const wide = Object.entries(words.regions).flatMap(([name, zone]) => (zone === null ? [name] : []));
  const here = new Map(words.here.map((name) => [name, true]));
  const weekdays = new Map(words.weekdays.map((name, at) => [name.toLowerCase(), at]));
  const readZone = createNameReader(zones);
  const readBareZone = createNameReader(bareZones);
  const readAroundHere = createNameReader(new Map(words.around_here.map((name) => [name, true])));
  const zoneWords = createNameReader(new Map(words.zone_words.map((name) => [name, true])));
  const lengths = createNameReader(new Map(Object.entries(words.lengths)));

  return {
    /** "london's" */
    whose:
      (place: PlaceReader['read']): PlaceReader['read'] =>
      (said, from) => {
        const bare = said.map((each) => ({ ...each, word: each.word.replace(words.whose, '') }));
        const found = place(bare, from);
        return found && said[found.end - 1]?.word.endsWith(words.whose) ? found : null;
      },
    zone: readZone,
    /** "2028", "twenty twenty-eight" */
    year: createYearReader(numbers),
    region: createNameReader(new Map(wide.map((name) => [name, true]))),
    here: createNameReader(here),
    /** "london", "london time", "pacific", "est", "here". */
    site:
      (place: PlaceReader['read']) =>
      (said: readonly Word[], from: number): Read<TimePlace> | null => {
        const zone = readZone(said, from) ?? readBareZone(said, from);
        if (zone) return { value: { kind: 'zone', zone: zone.value }, end: zone.end };
        const home = readAroundHere(said, from);
        if (home) return { value: { kind: 'here', zone: null }, end: home.end };
        const found = place(said, from);
        if (!found) return null;
        return {
          value: { kind: 'place', zone: found.value },
          end: zoneWords(said, found.end)?.end ?? found.end,
        };
      },
    weekday: createNameReader(weekdays),
    /** "three days", "two weeks": in days. */
    ahead(said: readonly Word[], from: number): Read<number> | null {
      const count = numbers.read(said, from);
      const length = count && lengths(said, count.end);
      if (!length || count.value.bottom !== 1n || count.value.top < 0n) return null;
      const days = Number(count.value.top) * length.value;
      return days <= maxDaysAhead ? { value: days, end: length.end } : null;
    },
  };
}
