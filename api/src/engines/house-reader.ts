import { type HomeCalls, parseHome } from './home-calls.ts';
import { allExposed } from './home-exposed.ts';
import { HomeError, isShutOut } from './home-fault.ts';
import type { HomeLive } from './home-live.ts';
import { type RegistryEntry, readRegistry } from './home-registry.ts';
import type { HomeSocket } from './home-socket.ts';
import type { HomeSpeaker } from './home-speaker.ts';
import { speakersOf } from './home-speakers.ts';
import {
  areaTemplate,
  foundAreaSchema,
  type HouseFacts,
  heldStatesSchema,
  houseSchema,
  houseTemplate,
  type SpeakingThing,
  statesTemplate,
} from './home-templates.ts';
import { type ThingsByRoom, thingsByRoom } from './home-things.ts';
import { harmlessly } from './retry-while-missing.ts';

interface HouseReaderOptions extends Pick<HomeCalls, 'post' | 'isRunning'> {
  socket: Pick<HomeSocket, 'ask'>;
  live: Pick<HomeLive, 'now'>;
}

export interface WholeHouse extends HouseFacts {
  /** The areas with their aliases. */
  areas: (HouseFacts['areas'][number] & { aliases: readonly string[] })[];
  speakers: HomeSpeaker[];
  /** The entities that Assist may report on, with their places and aliases, by id. */
  exposed: ReadonlyMap<string, RegistryEntry>;
}

/** An entity without a registry entry. */
const unregistered: RegistryEntry = {
  aliases: [],
  area: null,
  places: [],
  device: null,
  marks: [],
  maker: [],
};

const noHouse = { areas: [], floors: [], things: [], speakers: [] };

/**
 * Reads the whole house with templates that Home Assistant renders. It renders them for administrators only.
 */
export function createHouseReader({ post, isRunning, socket, live }: HouseReaderOptions) {
  /** This token's user is not an administrator. */
  let isLimited = false;

  /** Renders a template. Null: this token's user may not do so. */
  const template = async (text: string, signal: AbortSignal, variables?: object): Promise<unknown> => {
    try {
      const filled = await post('/api/template', { template: text, variables }, { signal });
      isLimited = false;
      return filled;
    } catch (error) {
      if (!(error instanceof HomeError) || !isShutOut(error.failure)) throw error;
      // Throws if Home Assistant rejects the token itself.
      await isRunning(signal);
      isLimited = true;
      return null;
    }
  };

  /** Without aliases, and with all speakers. */
  const factsOf = async (signal: AbortSignal): Promise<HouseFacts & { speakers: SpeakingThing[] }> => {
    const found = await template(houseTemplate, signal);
    return found === null ? { ...noHouse, isLimited } : { ...parseHome(houseSchema, found), isLimited };
  };
  const statesOf = async (signal: AbortSignal): Promise<Readonly<Record<string, string>>> => {
    const known = await live.now(signal);
    if (known) return Object.fromEntries([...known].map(([id, { state }]) => [id, state]));
    const found = isLimited ? null : await harmlessly(() => template(statesTemplate, signal));
    return found === null ? {} : parseHome(heldStatesSchema, found);
  };

  return {
    /** The areas, floors and entities of the house, and the speaker of each area. */
    async house(signal: AbortSignal): Promise<WholeHouse> {
      const facts = await factsOf(signal);
      const speakers = await speakersOf(facts.speakers, { socket, signal });
      const exposed = await allExposed({ socket, signal }).catch((error: unknown) => {
        if (!(error instanceof HomeError)) throw error;
        return [];
      });
      const ids = [...new Set([...facts.things.map(({ id }) => id), ...exposed])];
      const { entries, areaAliases } = await readRegistry(ids, { socket, signal });
      const areas = facts.areas.map((area) => ({ ...area, aliases: areaAliases.get(area.name) ?? [] }));
      const things = facts.things.map((thing) => ({
        ...thing,
        aliases: entries.get(thing.id)?.aliases ?? [],
      }));
      return {
        ...{ ...facts, areas, things, speakers },
        exposed: new Map(exposed.map((id) => [id, entries.get(id) ?? unregistered])),
      };
    },

    /** The ids that Assist may command. Empty if the token's user may not see them. */
    exposed: (signal: AbortSignal): Promise<string[]> => allExposed({ socket, signal }),

    /** The entities that can be commanded, by area, with their states. */
    async things(signal: AbortSignal): Promise<ThingsByRoom> {
      const facts = await harmlessly(() => factsOf(signal));
      if (facts.isLimited) return thingsByRoom({ facts, states: {}, exposed: new Set() });
      const [states, exposed] = await Promise.all([statesOf(signal), allExposed({ socket, signal })]);
      return thingsByRoom({ facts, states, exposed: new Set(exposed) });
    },

    /**
     * The area name of the first of these devices and entities that has one. Null: none has, or the token's
     * user may not see it.
     */
    async areaOf(ids: readonly string[], signal: AbortSignal): Promise<string | null> {
      const found = isLimited ? null : await template(areaTemplate, signal, { ids });
      return found === null ? null : parseHome(foundAreaSchema, found).area || null;
    },

    /**
     * The state and attributes of each entity that accepts commands or questions, by id. Null: unknown now.
     */
    standing: live.now,

    /**
     * The states of all entities that can be commanded, by id. Empty if the token's user may not see them.
     */
    states: statesOf,
  };
}
