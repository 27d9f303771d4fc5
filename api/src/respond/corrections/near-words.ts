import { beginAlike, soundDistance } from '../../language/sound-distance.ts';
import type { Turn } from '../../turn/turn.ts';

/** Distance of two words, 0 to 1. Null: too different to be confused. */
export type WordDistance = (said: string, meant: string) => number | null;

/** Speech recognition does not confuse words further apart. */
const maxDistance = 0.28;
/** Rooms form a closed set, so a wrong one may be further off. */
const maxRoomDistance = 0.5;
/** Limits the work per word by its length. */
const maxLengthApart = 2;
/** A weak first sound that is easily lost: "the 'all lights". */
const slightBeginning = /^h/;

/** How different two words sound. */
export function phoneticDistance(soundsOf: (word: string) => string): WordDistance {
  return (said, meant) => {
    const [one, other] = [soundsOf(said), soundsOf(meant)];
    if (Math.abs(one.length - other.length) > maxLengthApart || !beginAlike(one, other)) return null;
    return within(maxDistance, soundDistance(one, other));
  };
}

/** The same for rooms, where only a room fits. */
export function phoneticRoomDistance(soundsOf: (word: string) => string): WordDistance {
  const core = (word: string) => soundsOf(word).replace(slightBeginning, '');
  return (said, meant) => {
    const [one, other] = [core(said), core(meant)];
    if (!beginAlike(one, other)) return null;
    return within(maxRoomDistance, soundDistance(soundsOf(said), soundsOf(meant)));
  };
}

/** In a shorter word, one changed letter makes another word. */
const minLetters = 4;
/** Distance of two words that differ by one typing error. */
const slipDistance = 0.1;

/**
 * Accepts one typing error: a letter added, missing or changed, or two letters swapped. The first letter is
 * rarely wrong.
 */
export const typedDistance: WordDistance = (said, meant) => {
  if (said === meant || Math.abs(said.length - meant.length) > 1) return null;
  if (Math.min(said.length, meant.length) < minLetters) return null;
  // Rules out most words before the letters are compared: the first letter is right, or swapped.
  if (said[0] !== meant[0] && said[0] !== meant[1]) return null;
  const from = [...said].findIndex((letter, at) => letter !== meant[at]);
  const at = from < 0 ? said.length : from;
  const [one, other] = [said.slice(at), meant.slice(at)];
  const isTurned =
    one[0] === other[1] && one[1] === other[0] && one.length > 1 && one.slice(2) === other.slice(2);
  const isOne =
    one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1) || isTurned;
  return isOne && (at > 0 || isTurned) ? slipDistance : null;
};

/** Whether speech recognition may have confused the words. */
export const isSpoken = (source: Turn['source']): boolean => source === 'voice' || source === 'listen';

const within = (most: number, distance: number) => (distance > most ? null : distance);
