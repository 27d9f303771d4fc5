import { type Kind, kinds } from './home-words.ts';
import type { TargetPlace, WordSpan } from './place-finder.ts';

/** The things that a sentence speaks of: "the kitchen lights", "Anna's lamp and the fan". */
export interface Target {
  end: number;
  kinds: readonly Kind[];
  /** It says where: a room, "here", or a thing by its own name. */
  isPlaced: boolean;
  /** Home Assistant knows it by this very name. */
  isNamed: boolean;
  /** Where the words for its kind stand: "lights" of "the kitchen lights". Null: it has a name of its own. */
  device: WordSpan | null;
  /** Where its own name stands: "wemo plug" of "the wemo plug socket". Null: it has none. */
  name: WordSpan | null;
  place: TargetPlace;
  /** It is all of them, not only those of one room. */
  isAll: boolean;
  /** It is one among others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** The words for each of several things; none: it is one. */
  parts: readonly WordSpan[];
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
} satisfies Omit<Target, 'end' | 'kinds'>;

/** A thing by the name that it has in Home Assistant. The name says where it is. */
export function namedTarget(kind: Kind, name: WordSpan, place: TargetPlace): Target {
  return { ...bare, end: name.to, kinds: [kind], isPlaced: true, isNamed: true, name, place };
}

interface Called {
  /** The words for it, with the adjectives before them. */
  device: WordSpan;
  /** The place that is said before it: "kitchen" of "the kitchen lights". */
  place: TargetPlace;
  isAll: boolean;
  isSpecial: boolean;
}

/** Things by what such things are called anyway: "lights", "desk lamp". */
export function calledTarget(kind: Kind, called: Called): Target {
  const { device, place } = called;
  const isPlaced = place !== null && place !== 'here';
  return { ...bare, ...called, end: device.to, kinds: [kind], isPlaced };
}

/** "Everything" counts as a known name. */
export function everythingTo(end: number): Target {
  return { ...bare, end, kinds: [...kinds], isNamed: true, isAll: true };
}

/** The same with a place behind it: "the lamp in the kitchen". */
export function targetIn(target: Target, end: number, place: TargetPlace): Target {
  return { ...target, end, place, isPlaced: target.isPlaced || place !== 'here' };
}

interface TargetFrom {
  from: number;
  target: Target;
}

/** "The lamp and the fan" as one target. Together they are named or placed only where both are. */
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
