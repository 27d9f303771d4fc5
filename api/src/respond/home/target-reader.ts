import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { HomeWords, HouseNames } from './home-words.ts';
import { joinedTargets, type Target } from './target.ts';
import { createThingReader } from './thing-reader.ts';
import { createWordFinder, endOfRow } from './word-finder.ts';

/** Nobody describes a thing at home at greater length. */
const maxEnds = 40;
const maxTargets = 4;

export type TargetReader = ReturnType<typeof createTargetReader>;

/** Finds in words the things to command, by their names in Home Assistant and by what such things are called anyway. */
export function createTargetReader(words: HomeWords, readWords: WordReader) {
  const things = createThingReader(words, readWords);
  const determiners = createWordFinder(words.determiners, readWords);
  const and = createWordFinder(words.and, readWords);

  const read = (said: readonly Word[], from: number, left = maxTargets): Target[] => {
    const first = things.at(said, from);
    if (left <= 1) return first;
    const more = first.flatMap((target) =>
      and
        .at(said, target.end)
        .flatMap(({ end }) =>
          read(said, end, left - 1).map((other) =>
            joinedTargets({ from, target }, { from: end, target: other }),
          ),
        ),
    );
    return [...first, ...more].slice(0, maxEnds);
  };

  return {
    /** From now on these names are known. */
    learn: (names: HouseNames) => things.learn(names),

    /** Every way to read a target that begins here. */
    read: (said: readonly Word[], from: number) => read(said, from),

    areasAt: things.roomsAt,

    /** The words without determiners before them: "kitchen lights" of "all the kitchen lights". */
    bare: (said: readonly Word[]) => said.slice(endOfRow(determiners, said, 0)),
  };
}
