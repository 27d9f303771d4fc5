import type { LiveThing } from '../../engines/home-live.ts';
import type { RegistryEntry } from '../../engines/home-registry.ts';
import { commandedDomains, domainOf, sayable } from '../../engines/home-templates.ts';
import type { QueryWords } from './query-shape.ts';
import type { Stems } from './stems.ts';

/** An entity with everything that may describe it. */
export interface Thing {
  id: string;
  domain: string;
  /** Its domain and device class, as the language files name them. */
  kind: string;
  deviceClass: string;
  name: string;
  /** The stems of its names. */
  names: readonly (readonly string[])[];
  /** Stems of common nouns for it. */
  nouns: ReadonlySet<string>;
  /** The stems of everything that describes it: names, nouns, device, maker, labels, places. */
  described: ReadonlySet<string>;
  /** The same without its places. */
  own: ReadonlySet<string>;
  /** The stems of each name of its room and floor, joined by spaces. */
  places: readonly string[];
  area: string | null;
  device: string | null;
  state: string;
  attributes: LiveThing['attributes'];
}

/** A cached description of an entity, and the state that it was built from. */
interface Known {
  live: LiveThing;
  thing: Thing;
}

interface ThingsOptions {
  words: Pick<QueryWords, 'kinds' | 'anything'>;
  stems: Stems;
}

/** Describes the exposed entities. Caches each description until a name or the state changes. */
export function createHouseThings({ words, stems }: ThingsOptions) {
  let entries: ReadonlyMap<string, RegistryEntry> = new Map();
  let known = new Map<string, Known>();
  const anything = words.anything.flatMap(stems.of);
  const nounsOf = new Map<string, ReadonlySet<string>>();
  const nouns = (kind: string, domain: string): ReadonlySet<string> => {
    const found =
      nounsOf.get(kind) ??
      new Set([
        ...(words.kinds[kind] ?? words.kinds[domain] ?? []).flatMap(stems.wide),
        ...(commandedDomains.includes(domain) ? anything : []),
      ]);
    nounsOf.set(kind, found);
    return found;
  };

  const describe = (id: string, entry: RegistryEntry, live: LiveThing): Thing | null => {
    const { state, attributes } = live;
    const name = sayable(attributeText(attributes['friendly_name']));
    const deviceClass = attributeText(attributes['device_class']);
    const before = known.get(id)?.thing;
    if (name === '') return null;
    if (before?.name === name && before.deviceClass === deviceClass) return { ...before, state, attributes };
    const domain = domainOf(id);
    const kind = `${domain}.${deviceClass}`;
    const names = [name, ...entry.aliases];
    const nounsHere = nouns(kind, domain);
    const own = [...[...names, ...entry.marks, ...entry.maker].flatMap(stems.wide), ...nounsHere];
    return {
      ...{ id, domain, kind, deviceClass, name, area: entry.area, device: entry.device, state, attributes },
      names: names.map(stems.of),
      places: entry.places.map((place) => stems.of(place).join(' ')),
      nouns: nounsHere,
      own: new Set(own),
      described: new Set([...own, ...entry.places.flatMap(stems.wide)]),
    };
  };

  const thingOf = (id: string, entry: RegistryEntry, live: LiveThing | undefined): Thing[] => {
    if (live === undefined) return [];
    const before = known.get(id);
    if (before?.live === live) return [before.thing];
    const thing = describe(id, entry, live);
    if (thing === null) return [];
    known.set(id, { live, thing });
    return [thing];
  };

  return {
    /** All exposed entities with their current states. */
    all(exposed: ReadonlyMap<string, RegistryEntry>, standing: ReadonlyMap<string, LiveThing>): Thing[] {
      if (exposed !== entries) [entries, known] = [exposed, new Map()];
      return [...exposed].flatMap(([id, entry]) => thingOf(id, entry, standing.get(id)));
    },
  };
}

export const attributeText = (value: unknown): string => (typeof value === 'string' ? value : '');
