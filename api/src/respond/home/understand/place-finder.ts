import type { Word, WordReader } from '../../../language/grammar/words.ts';
import type { HomeWords } from './home-words.ts';
import { createWordFinder, endOfRow, type WordFinder } from './word-finder.ts';

/** A range of word positions. */
export interface WordSpan {
  from: number;
  to: number;
}

/**
 * The place of an entity: the speaker's room, the whole house, or the words for a room or floor. Null: none.
 */
export type TargetPlace = 'here' | 'everywhere' | WordSpan | null;

/** A named place, and the position after its words. */
interface FoundPlace {
  end: number;
  place: TargetPlace;
}

/** Finds words for places: rooms and floors by name, "here", "the house". */
export function createPlaceFinder(words: HomeWords, readWords: WordReader) {
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const [here, everywhere, floors] = [finder(words.here), finder(words.everywhere), finder(words.floors)];
  const [thisRoom, house] = [finder(words.this_room), finder(words.house)];
  const [determiners, prepositions] = [finder(words.determiners), finder(words.in)];
  let areas = finder(words.rooms);

  const allOf = (found: WordFinder, said: readonly Word[], from: number, place?: TargetPlace): FoundPlace[] =>
    found.at(said, from).map(({ end }) => ({ end, place: place === undefined ? { from, to: end } : place }));

  /** "The kitchen", "this room" and "the house", without the determiner. */
  const areasFrom = (said: readonly Word[], from: number): FoundPlace[] => [
    ...allOf(house, said, from, 'everywhere'),
    ...allOf(thisRoom, said, from, 'here'),
    ...allOf(areas, said, from).filter(({ end }) => !house.at(said, from).some((whole) => whole.end === end)),
  ];

  return {
    /** Adds these names of rooms and floors. */
    learn(names: readonly string[]): void {
      areas = finder([...words.rooms, ...names]);
    },

    areasFrom,

    /** Whether exactly these words mean the whole house. */
    isHouse: (said: readonly Word[], from: number, to: number): boolean =>
      house.at(said, from).some(({ end }) => end === to),

    /** The end positions of the rooms that start here. */
    roomsAt: (said: readonly Word[], from: number): number[] => areas.at(said, from).map(({ end }) => end),

    /** The rooms and floors that start here, without a preposition. */
    bareRoomsAt: (said: readonly Word[], from: number): FoundPlace[] => allOf(areas, said, from),

    /** Whether words such as "in the" start here. An unknown place may follow. */
    isPlacing: (said: readonly Word[], from: number): boolean =>
      prepositions.at(said, from).some(({ end }) => endOfRow(determiners, said, end) > end),

    /** Places as they follow an entity: "here", "upstairs", "in the kitchen". */
    placesAt: (said: readonly Word[], from: number): FoundPlace[] => [
      ...allOf(here, said, from, 'here'),
      ...allOf(everywhere, said, from, 'everywhere'),
      // "In every room upstairs" is that floor.
      ...everywhere.at(said, from).flatMap(({ end }) => allOf(floors, said, end)),
      ...allOf(floors, said, from),
      ...prepositions.at(said, from).flatMap(({ end }) => areasFrom(said, endOfRow(determiners, said, end))),
    ],
  };
}
