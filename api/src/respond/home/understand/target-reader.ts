import type { Word, WordReader } from '../../../language/grammar/words.ts';
import type { ThingIndex } from '../thing-index.ts';
import type { HomeWords, HouseNames } from './home-words.ts';
import { joinedTargets, type Target } from './target.ts';
import { createThingReader } from './thing-reader.ts';
import { createWordFinder, endOfRow } from './word-finder.ts';

/** No spoken description at home is longer. */
const maxEnds = 40;
const maxTargets = 4;

export type TargetReader = ReturnType<typeof createTargetReader>;

/** Finds targets in words, by Home Assistant's names and by common nouns. */
export function createTargetReader(
  words: HomeWords,
  readWords: WordReader,
  index: Pick<ThingIndex, 'at'> = { at: () => [] },
) {
  const things = createThingReader(words, readWords, index);
  const determiners = createWordFinder(words.determiners, readWords);
  const and = createWordFinder(words.and, readWords);

  const read = (said: readonly Word[], from: number, left = maxTargets): Target[] => {
    const first = things.at(said, from);
    if (left <= 1) return first;
    const more = first.flatMap((target) =>
      and.at(said, target.end).flatMap(({ end }) =>
        read(said, end, left - 1)
          // "The hall and attic lights" are lights in both, like "the lights in the hall and the attic".
          .filter((other) => target.isRoom === other.isRoom || (target.isRoom && other.parts.length > 0))
          .map((other) => joinedTargets({ from, target }, { from: end, target: other })),
      ),
    );
    return [...first, ...more].slice(0, maxEnds);
  };

  return {
    /** Adds these names. */
    learn: (names: HouseNames) => things.learn(names),

    /** Every reading of a target that starts here. */
    read: (said: readonly Word[], from: number) => read(said, from),

    areasAt: things.roomsAt,

    /** The start of a place that ends the words: "in the kitchen". -1: none does. */
    lastPlace: (said: readonly Word[]): number =>
      said.findIndex((_, at) => at > 0 && things.placesAt(said, at).some(({ end }) => end === said.length)),

    /** The same for a place that may only be in the name of an entity: "in the guest bathroom". */
    lastUnknownPlace: (said: readonly Word[]): number =>
      said.findLastIndex((_, at) => at > 0 && things.isPlacing(said, at)),

    /** Whether the words end with the speaker's room: "in here". */
    endsHere: (said: readonly Word[]): boolean =>
      said.some(
        (_, at) =>
          at > 0 &&
          things.placesAt(said, at).some(({ end, place }) => end === said.length && place === 'here'),
      ),

    /** Strips leading determiners: "kitchen lights" from "all the kitchen lights". */
    bare: (said: readonly Word[]) => said.slice(endOfRow(determiners, said, 0)),
  };
}
