import type { House } from './house.ts';
import type { Kind } from './understand/home-words.ts';
import type { HouseSentence } from './understand/understood.ts';

/**
 * Kinds whose words fit every entity of the kind. A house with a lamp has "lights", but a plug need not be a
 * fan.
 */
const clearKinds: readonly Kind[] = ['light', 'lock', 'climate', 'media'];

interface Refusal {
  reply: 'which_room' | 'not_possible' | 'not_known' | 'not_known_here';
  values: Readonly<Record<string, string>>;
}

type Unknown = Pick<
  HouseSentence,
  'target' | 'bare' | 'kinds' | 'place' | 'isNamed' | 'isPlaced' | 'needsRoom' | 'isSpecial' | 'isEverywhere'
>;

interface Surroundings {
  /** Home Assistant's name for the speaker's room; null: none. */
  room: string | null;
  mayHave: House['mayHave'];
}

/** The reply to a command that Home Assistant does not know. Null: it may be for another responder. */
export function refusalOfUnknown(command: Unknown, { room, mayHave }: Surroundings): Refusal | null {
  const { target, bare, isNamed, isPlaced, needsRoom, isSpecial } = command;
  // "The desk lamp" says which one; no room makes it known.
  if (needsRoom && room === null && !isSpecial) return { reply: 'which_room', values: {} };
  // A command without a target: another responder may have a better answer.
  if (target === '') return null;
  if (isNamed || isThere(command, { room, mayHave })) return { reply: 'not_possible', values: { target } };
  if (bare === '') return null;
  return room === null || isPlaced
    ? { reply: 'not_known', values: { bare } }
    : { reply: 'not_known_here', values: { bare, room } };
}

/** Such entities exist there, so Home Assistant does not know the action. */
function isThere(command: Unknown, { room, mayHave }: Surroundings): boolean {
  const { kinds, isSpecial, isPlaced, isEverywhere, place } = command;
  const isClear = isEverywhere || kinds.every((kind) => clearKinds.includes(kind));
  const where = isEverywhere ? null : isPlaced ? place : room;
  return isClear && !isSpecial && kinds.length > 0 && where !== '' && mayHave(kinds, where);
}
