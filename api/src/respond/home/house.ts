import { setTimeout as delay } from 'node:timers/promises';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import type { HouseFacts } from '../../engines/home-templates.ts';
import { type Kind, kindOfDomain } from './home-words.ts';

/** Whoever commands the house before it has told its names waits so long for them. */
const mostWaitMs = 2_000;
/** Names change seldom; who has just named a lamp waits a minute at most. */
const everyMs = 60_000;
const againMs = 5_000;

interface HouseOptions {
  client: Pick<HomeClient, 'house'>;
  onNames: (facts: HouseFacts) => void;
  /** Told once each time when Home Assistant cannot be asked any more. */
  onTrouble: (trouble: string) => void;
}

export type House = ReturnType<typeof watchHouse>;

/** Knows the house's rooms and things by name, from now until it is stopped. */
export function watchHouse({ client, onNames, onTrouble }: HouseOptions) {
  const stopped = new AbortController();
  let facts: HouseFacts = { areas: [], floors: [], things: [], isLimited: false };
  let isKnown = false;
  let isTroubled = false;
  let wasLimited = false;
  let looking: Promise<void> | null = null;

  const look = async () => {
    try {
      facts = await client.house(stopped.signal);
      isKnown = true;
      if (facts.isLimited && !wasLimited) onTrouble('the token is none of an administrator');
      wasLimited = facts.isLimited;
      onNames(facts);
      isTroubled = false;
    } catch (error) {
      if (!isTroubled && !stopped.signal.aborted)
        onTrouble(error instanceof HomeError ? error.trouble : String(error));
      isTroubled = true;
    }
  };
  /** One at a time. */
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const run = async () => {
    while (!stopped.signal.aborted) {
      await lookOnce();
      await delay(isTroubled ? againMs : everyMs, undefined, { signal: stopped.signal, ref: false }).catch(
        () => undefined,
      );
    }
  };
  void run();

  const areaNamed = (room: string) => facts.areas.find(({ name }) => plain(name) === plain(room));

  return {
    /** Asks the house again that has not told its names yet. True: it has now; not when it cannot, or not soon enough. */
    async learn(): Promise<boolean> {
      if (isKnown) return false;
      await Promise.race([lookOnce(), delay(mostWaitMs, undefined, { ref: false })]);
      return isKnown;
    },
    /** What can be spoken of, for whoever has to recognise it. */
    names: () => ({
      rooms: facts.areas.map(({ name }) => name),
      devices: facts.things.map(({ name }) => name),
    }),
    /** What kind of a thing it is within its domain: a garage door, a blind. Null: nobody has said. */
    classOf: (id: string): string | null =>
      facts.things.find((thing) => thing.id === id)?.deviceClass ?? null,
    /** The area that a satellite's room is; null: Home Assistant has none of that name. */
    areaOf(room: string | null): string | null {
      // Whose token may not know the rooms is believed to have named one.
      if (room === null || facts.isLimited) return room;
      return areaNamed(room)?.name ?? null;
    },
    /** Whether there may be a thing of these kinds in a room; in the house where none is given. */
    mayHave(kinds: readonly Kind[], room: string | null): boolean {
      // What is on a floor has not been asked.
      if (facts.isLimited || facts.floors.some((floor) => plain(floor) === plain(room ?? ''))) return true;
      const ids = room === null ? facts.things.map(({ id }) => id) : (areaNamed(room)?.ids ?? []);
      return ids.some((id) => kinds.some((kind) => kindOfDomain[id.split('.')[0] ?? ''] === kind));
    },
    /** The room whose thermostat heats this one: its own, or the only one that there is. */
    heatedWith(room: string | null): string | null {
      const heated = facts.areas.filter(({ ids }) => ids.some(isThermostat));
      const own = heated.some(({ name }) => name === room) || facts.isLimited;
      return own || heated.length !== 1 ? room : (heated[0]?.name ?? null);
    },
    stop: () => stopped.abort(),
  };
}

const isThermostat = (id: string) => id.startsWith('climate.');

/** "living_room" is the Living Room. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
