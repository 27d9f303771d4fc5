import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { HomeConnection } from '../../engines/home-client.ts';
import { HomeError, type HomeFailure, isShutOut, shutOutMs } from '../../engines/home-fault.ts';
import { domainOf, type HouseFacts } from '../../engines/home-templates.ts';
import type { WholeHouse } from '../../engines/house-reader.ts';
import { type DescribedThing, type Kind, kindOfDomain } from './understand/home-words.ts';

/** How long an early command waits for the names of the house. */
const maxWaitMs = 2_000;
/**
 * How often to read the house again: Home Assistant does not report every change, such as a newly exposed
 * entity.
 */
const everyMs = 60_000;
/** Changes of names come in groups, and Home Assistant reports each. One read covers them all. */
const gatherMs = 200;
const againMs = 5_000;

interface HouseOptions {
  client: Pick<HomeConnection, 'house' | 'listen'>;
  /** Called once whenever Home Assistant stops answering. */
  onFailure: (failure: string) => void;
  /** Waits before the next read. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export type House = ReturnType<typeof watchHouse>;

/** A thing by its names. */
type Named = Pick<HouseFacts['things'][number], 'id' | 'name' | 'aliases'>;

/** Knows the house's rooms and things by name, from now until it is stopped. */
export function watchHouse({
  client,
  onFailure,
  pause: wait = (ms, signal) => delay(ms, undefined, { signal, ref: false }),
}: HouseOptions) {
  const stopped = new AbortController();
  const listeners: ((facts: WholeHouse) => void)[] = [];
  let facts: WholeHouse = {
    areas: [],
    floors: [],
    things: [],
    speakers: [],
    exposed: new Map(),
    isLimited: false,
  };
  let isKnown = false;
  let failure: HomeFailure | null = null;
  let looking: Promise<void> | null = null;
  /** Home Assistant reported a change that no finished read includes. */
  let isOutdated = false;

  const onHouse = (found: WholeHouse) => {
    if (found.isLimited && !facts.isLimited) onFailure('the token is none of an administrator');
    // A big house takes a while to index, and changes seldom.
    const isNew = !isKnown || !isDeepStrictEqual(found, facts);
    if (isNew) facts = found;
    [isKnown, failure] = [true, null];
    if (isNew) for (const tell of listeners) tell(facts);
  };
  const look = async () => {
    isOutdated = false;
    try {
      onHouse(await client.house(stopped.signal));
    } catch (error) {
      if (failure === null && !stopped.signal.aborted)
        onFailure(error instanceof HomeError ? error.failure : String(error));
      failure = error instanceof HomeError ? error.failure : 'broken';
      isOutdated = true;
    }
  };
  /** One at a time. */
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  let renamed = Promise.withResolvers<void>();
  const pause = (ms: number) => wait(ms, stopped.signal).catch(() => undefined);
  const nextMs = () => {
    if (isShutOut(failure)) return shutOutMs;
    return failure === null ? everyMs : againMs;
  };
  const run = async () => {
    while (!stopped.signal.aborted) {
      renamed = Promise.withResolvers();
      await lookOnce();
      await Promise.race([renamed.promise, pause(nextMs())]);
      await pause(gatherMs);
    }
  };
  void run();
  client.listen({
    onNames: () => {
      isOutdated = true;
      renamed.resolve();
    },
  });
  /** A read that started before the last change does not include it. */
  const lookUntilCurrent = async () => {
    do await lookOnce();
    while (isOutdated && failure === null);
  };

  return {
    /** Calls the listener whenever a read finds new names. */
    onNames: (listener: (facts: WholeHouse) => void) => void listeners.push(listener),
    /**
     * Reads the names if they are still unknown. True: they have arrived now. False: they did not arrive in
     * time.
     */
    async learn(): Promise<boolean> {
      if (isKnown) return false;
      await Promise.race([lookOnce(), delay(maxWaitMs, undefined, { ref: false })]);
      return isKnown;
    },
    /**
     * Waits for pending names before a refusal. `same`: nothing is pending. `unknown`: they cannot be read,
     * or not in time.
     */
    async refresh(): Promise<'new' | 'same' | 'unknown'> {
      if (isKnown && !isOutdated && looking === null) return 'same';
      const before = facts;
      await Promise.race([lookUntilCurrent(), delay(maxWaitMs, undefined, { ref: false })]);
      if (!isKnown || isOutdated) return 'unknown';
      return facts === before ? 'same' : 'new';
    },
    /** Whether the last read of the names succeeded. */
    isThere: () => isKnown && failure === null,
    /** Why the last read of the names failed. Null: it succeeded, or none has happened yet. */
    failure: () => failure,
    ...createHouseLookup(() => facts),
    stop: () => stopped.abort(),
  };
}

/** Tables of a house, so that thousands of things are not searched for each one that is named. */
function tablesOf({ things, areas }: WholeHouse) {
  return {
    byId: new Map(things.map((thing) => [thing.id, thing])),
    byDomain: Map.groupBy(things, ({ id }) => domainOf(id)),
    // The first area wins, as in a search.
    roomOf: new Map(areas.toReversed().flatMap(({ ids, name }) => ids.map((id) => [id, name]))),
  };
}

/** Finds rooms and things by name, kind and id. */
function createHouseLookup(facts: () => WholeHouse) {
  let of = facts();
  let made = tablesOf(of);
  const tables = () => {
    if (of !== facts()) [of, made] = [facts(), tablesOf(facts())];
    return made;
  };
  const areaNamed = (room: string) =>
    facts().areas.find(({ name }) => plain(name) === plain(room)) ??
    facts().areas.find(({ aliases }) => aliases.some((alias) => plain(alias) === plain(room)));

  return {
    /** The names of rooms and things, for the speech recognition. */
    names: () => ({
      rooms: facts().areas.flatMap(namesOf),
      devices: facts().things.flatMap(namesOf),
    }),
    /** The kind of a thing within its domain: a garage door, a blind. Null: unknown. */
    classOf: (id: string): string | null => tables().byId.get(id)?.deviceClass ?? null,
    /** The area of a satellite's room; null: Home Assistant has none of that name. */
    areaOf(room: string | null): string | null {
      // A token that cannot read the rooms accepts any room.
      if (room === null || facts().isLimited) return room;
      return areaNamed(room)?.name ?? null;
    },
    /** A device in a room; null: none is known. */
    deviceIn: (room: string | null): string | null =>
      (room === null ? null : areaNamed(room)?.device) ?? null,
    /** Whether a room may have a thing of these kinds; the whole house where the room is null. */
    mayHave(kinds: readonly Kind[], room: string | null): boolean {
      // The data does not say which things are on a floor.
      if (facts().isLimited || facts().floors.some((floor) => plain(floor) === plain(room ?? '')))
        return true;
      const ids = room === null ? facts().things.map(({ id }) => id) : (areaNamed(room)?.ids ?? []);
      return ids.some((id) => kinds.some((kind) => kindOfDomain[domainOf(id)] === kind));
    },
    /** The things of these domains in a room; in the whole house where the room is null. */
    thingsIn(domains: readonly string[], room: string | null): Named[] {
      const ids = room === null ? null : new Set(areaNamed(room)?.ids);
      const { byDomain } = tables();
      const [first = [], ...others] = [...new Set(domains)].map((domain) => byDomain.get(domain) ?? []);
      const found =
        others.length === 0 ? first : facts().things.filter(({ id }) => domains.includes(domainOf(id)));
      return found.filter(({ id }) => ids === null || ids.has(id));
    },
    /** The things with these ids. */
    thingsOf(ids: readonly string[]): Named[] {
      const wanted = new Set(ids);
      return facts().things.filter(({ id }) => wanted.has(id));
    },
    /** The name of one thing; null: it is not known. */
    nameOf: (id: string): string | null => tables().byId.get(id)?.name ?? null,
    /** The room of one thing; null: it is in none. */
    roomOf: (id: string): string | null => tables().roomOf.get(id) ?? null,
    /** The rooms of the entities with this name, one per entity. Null for an entity in no room. */
    roomsOf(name: string): (string | null)[] {
      const isSo = (thing: Named) => namesOf(thing).some((each) => plain(each) === plain(name));
      const ids = facts()
        .things.filter(isSo)
        .map(({ id }) => id);
      return ids.map((id) => tables().roomOf.get(id) ?? null);
    },
    /** The room whose thermostat heats this one: this room, or the only one with a thermostat. */
    heatedWith(room: string | null): string | null {
      const heated = facts().areas.filter(({ ids }) => ids.some(isThermostat));
      const own = heated.some(({ name }) => name === room) || facts().isLimited;
      return own || heated.length !== 1 ? room : (heated[0]?.name ?? null);
    },
    /** The entities that Assist may report on, by id. */
    exposed: () => facts().exposed,
    /** The names of the rooms and floors, each with its other names. */
    places: (): readonly (readonly string[])[] => [
      ...facts().areas.map(namesOf),
      ...facts().floors.map((floor) => [floor]),
    ],
  };
}

/** Every entity exposed to Assist with all of its names, its kind, device, room and floor. */
export function describedThings({
  things,
  exposed,
}: Pick<WholeHouse, 'things' | 'exposed'>): DescribedThing[] {
  return things.flatMap((thing) => {
    const entry = exposed.get(thing.id);
    if (!entry) return [];
    const { places, marks, maker } = entry;
    const { id, deviceClass } = thing;
    return [{ id, names: namesOf(thing), deviceClass, device: [...marks, ...maker], place: places }];
  });
}

/** All names of a thing. */
export const namesOf = ({ name, aliases }: Pick<Named, 'name' | 'aliases'>): string[] => [name, ...aliases];

const isThermostat = (id: string) => id.startsWith('climate.');

/** "living_room" is the Living Room, and "kid's room" the Kids Room. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
