import { type Kind, kinds } from './home-words.ts';
import type { TargetPlace, WordSpan } from './place-finder.ts';

/** The entities in a sentence: "the kitchen lights", "Anna's lamp and the fan". */
export interface Target {
  end: number;
  kinds: readonly Kind[];
  /** It gives a place: a room, "here", or an entity's own name. */
  isPlaced: boolean;
  /** Home Assistant has exactly this name. */
  isNamed: boolean;
  /** Position of the words for its kind: "lights" in "the kitchen lights". Null: it has a proper name. */
  device: WordSpan | null;
  /** Position of its proper name: "wemo plug" in "the wemo plug socket". Null: it has none. */
  name: WordSpan | null;
  place: TargetPlace;
  /** All of them, not only those in one room. */
  isAll: boolean;
  /** One among others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** The word spans of several entities; empty for one. */
  parts: readonly WordSpan[];
  /** A room stands for the things in it: "lock THE CELLAR". */
  isRoom: boolean;
}

const bare = {
  isPlaced: false,
  isNamed: false,
  device: null,
  name: null,
  place: null,
  isAll: false,
  isSpecial: false,
  parts: [],
  isRoom: false,
} satisfies Omit<Target, 'end' | 'kinds'>;

/** An entity by its name in Home Assistant. The name already gives its place. */
export function namedTarget(kind: Kind, name: WordSpan, place: TargetPlace): Target {
  return { ...bare, end: name.to, kinds: [kind], isPlaced: true, isNamed: true, name, place };
}

/** Entities by words of their descriptions: "the living room smart curtain". The words already say which. */
export function describedTarget(kinds: readonly Kind[], name: WordSpan, isAll: boolean): Target {
  return { ...bare, end: name.to, kinds, isPlaced: true, name, isAll, isSpecial: true };
}

/** All things of one kind in a room, by the name of the room. */
export function roomTarget(kind: Kind, room: WordSpan): Target {
  return { ...bare, end: room.to, kinds: [kind], isPlaced: true, place: room, isRoom: true };
}

interface Called {
  /** The words for it, including adjectives. */
  device: WordSpan;
  /** The place before it: "kitchen" in "the kitchen lights". */
  place: TargetPlace;
  isAll: boolean;
  isSpecial: boolean;
}

/** Entities by common nouns: "lights", "desk lamp". */
export function calledTarget(kind: Kind, called: Called): Target {
  const { device, place } = called;
  const isPlaced = place !== null && place !== 'here';
  return { ...bare, ...called, end: device.to, kinds: [kind], isPlaced };
}

/** "Everything" counts as a known name. */
export function everythingTo(end: number): Target {
  return { ...bare, end, kinds: [...kinds], isNamed: true, isAll: true };
}

/** The target plus a place after it: "the lamp in the kitchen". */
export function targetIn(target: Target, end: number, place: TargetPlace): Target {
  return { ...target, end, place, isPlaced: target.isPlaced || place !== 'here' };
}

interface TargetFrom {
  from: number;
  target: Target;
}

/** "The lamp and the fan" as one target. It is named or placed only if both parts are. */
export function joinedTargets(one: TargetFrom, other: TargetFrom): Target {
  return {
    ...bare,
    end: other.target.end,
    kinds: [...one.target.kinds, ...other.target.kinds],
    isPlaced: one.target.isPlaced && other.target.isPlaced,
    isNamed: one.target.isNamed && other.target.isNamed,
    isSpecial: true,
    parts: [...partsOf(one), ...partsOf(other)],
  };
}

function partsOf({ from, target }: TargetFrom): readonly WordSpan[] {
  return target.parts.length > 0 ? target.parts : [{ from, to: target.end }];
}
