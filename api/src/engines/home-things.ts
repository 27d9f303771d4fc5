import { compareNames } from '../name-order.ts';
import { domainOf, type HouseFacts } from './home-templates.ts';

/** Maximum number of entities: one response holds them, and a person does not look through more. */
const maxShown = 1_000;
/** A domain that is only triggered has no useful state: Home Assistant gives the time of the last use. */
const stateless = new Set(['scene', 'button', 'input_button']);

interface ShownThing {
  id: string;
  name: string;
  /** Its domain. */
  kind: string;
  state: string | null;
}

export interface ThingsByRoom {
  /** The token is not an administrator's, so it can find nothing. */
  limited: boolean;
  /** Includes the entities left out. */
  total: number;
  rooms: { room: string | null; things: ShownThing[] }[];
}

interface House {
  facts: HouseFacts;
  states: Readonly<Record<string, string>>;
  /** The ids that Assist may command. */
  exposed: ReadonlySet<string>;
}

/** The commandable entities by room and name; those without a room come last. */
export function thingsByRoom({ facts, states, exposed }: House): ThingsByRoom {
  const roomOf = new Map(facts.areas.flatMap(({ name, ids }) => ids.map((id) => [id, name])));
  const all = facts.things
    .filter(({ id }) => exposed.has(id))
    .map(({ id, name }) => ({ room: roomOf.get(id) ?? null, thing: shown(id, name, states[id]) }))
    .sort((one, other) => byName(one.room, other.room) || byName(one.thing.name, other.thing.name));
  const rooms = Map.groupBy(all.slice(0, maxShown), ({ room }) => room);
  return {
    limited: facts.isLimited,
    total: all.length,
    rooms: [...rooms].map(([room, found]) => ({ room, things: found.map(({ thing }) => thing) })),
  };
}

function shown(id: string, name: string, state = 'unknown'): ShownThing {
  const kind = domainOf(id);
  return { id, name, kind, state: stateless.has(kind) ? null : state };
}

function byName(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return compareNames(one, other);
}
