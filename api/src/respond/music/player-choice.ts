import type { HomeFact } from '../../engines/home-facts-reader.ts';
import { playerFeatures } from '../../engines/home-players.ts';
import type { MusicRequest } from './music-request-reader.ts';

/** A player and its room. */
export interface Player {
  fact: HomeFact;
  room: string | null;
}

export type PlayerChoice =
  | { kind: 'chosen'; player: Player }
  /** No player in the place, or in the whole house, can search. */
  | { kind: 'none' }
  | { kind: 'none_there'; place: string }
  | { kind: 'cannot'; player: string }
  | { kind: 'no_such_place'; place: string }
  | { kind: 'one_place' }
  /** Several players can, so the person must name one. */
  | { kind: 'which'; players: readonly Player[] };

interface Asked {
  players: readonly Player[];
  place: MusicRequest['place'];
  /** The speaker's room. */
  room: string | null;
}

/**
 * Picks the player: in the named place, else in the speaker's room, else the one playing, else the only one.
 */
export function choosePlayer({ players, place, room }: Asked): PlayerChoice {
  if (place?.kind === 'everywhere') return { kind: 'one_place' };
  if (place?.kind === 'unknown') return { kind: 'no_such_place', place: place.name };
  const able = players.filter(({ fact }) => isAble(fact));
  if (place?.kind === 'player') {
    const named = players.filter(({ fact }) => fact.attributes.friendly_name === place.name);
    const found = one(named.filter(({ fact }) => isAble(fact)));
    return found ?? { kind: 'cannot', player: place.name };
  }
  if (able.length === 0) return { kind: 'none' };
  if (place) {
    return one(able.filter((each) => each.room === place.name)) ?? { kind: 'none_there', place: place.name };
  }
  const here = room === null ? null : one(able.filter((each) => each.room === room));
  const playing = able.filter(({ fact }) => fact.state === 'playing');
  const [first, second] = playing.length > 0 ? playing : able;
  if (here) return here;
  return first && !second ? { kind: 'chosen', player: first } : { kind: 'which', players: able };
}

/** Of several players in one room, prefers the playing one, else the first. */
function one(players: readonly Player[]): PlayerChoice | null {
  const player = players.find(({ fact }) => fact.state === 'playing') ?? players[0];
  return player ? { kind: 'chosen', player } : null;
}

function isAble({ state, attributes: { supported_features: can } }: HomeFact): boolean {
  const both = playerFeatures.playMedia | playerFeatures.search;
  return state !== 'unavailable' && (can & both) === both;
}
