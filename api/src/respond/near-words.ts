import { beginAlike, soundDistance } from '../language/sound-distance.ts';

/** How far two words are apart, from 0 to 1; null: nobody takes one for the other. */
export type WordDistance = (said: string, meant: string) => number | null;

/** Words further apart than this are not heard for each other. */
const maxDistance = 0.28;
/** A room can only be one of the house: where one was said that there is not, another that is further off may have been. */
const maxRoomDistance = 0.5;
/** Work for one word is bounded by its length. */
const maxLengthApart = 2;
/** A sound at the beginning that is hardly heard: "the 'all lights". */
const slightBeginning = /^h/;

/** How unlike words sound. */
export function heardDistance(soundsOf: (word: string) => string): WordDistance {
  return (said, meant) => {
    const [one, other] = [soundsOf(said), soundsOf(meant)];
    if (Math.abs(one.length - other.length) > maxLengthApart || !beginAlike(one, other)) return null;
    return within(maxDistance, soundDistance(one, other));
  };
}

/** The same for rooms of a house, where nothing else can stand. */
export function heardRoomDistance(soundsOf: (word: string) => string): WordDistance {
  const core = (word: string) => soundsOf(word).replace(slightBeginning, '');
  return (said, meant) => {
    const [one, other] = [core(said), core(meant)];
    if (!beginAlike(one, other)) return null;
    return within(maxRoomDistance, soundDistance(soundsOf(said), soundsOf(meant)));
  };
}

/** A shorter word is another one with every letter that is changed. */
const fewestLetters = 4;
/** A slip of the finger is no doubt, but two words that are one slip apart are alike. */
const slipDistance = 0.1;

/** Words that are one slip of a finger apart: a letter too many, too few or another, or two the wrong way round. The first letter is seldom wrong. */
export const typedDistance: WordDistance = (said, meant) => {
  if (said === meant || Math.abs(said.length - meant.length) > 1) return null;
  if (Math.min(said.length, meant.length) < fewestLetters) return null;
  const from = [...said].findIndex((letter, at) => letter !== meant[at]);
  const at = from < 0 ? said.length : from;
  const [one, other] = [said.slice(at), meant.slice(at)];
  const isTurned =
    one[0] === other[1] && one[1] === other[0] && one.length > 1 && one.slice(2) === other.slice(2);
  const isOne =
    one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1) || isTurned;
  return isOne && (at > 0 || isTurned) ? slipDistance : null;
};

const within = (most: number, distance: number) => (distance > most ? null : distance);
