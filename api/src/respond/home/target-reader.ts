import type { Word, WordReader } from '../grammar/words.ts';
import { type HomeWords, type HouseNames, type Kind, kindOfDomain, kinds } from './home-words.ts';
import { createPhraseFinder } from './phrase-finder.ts';

/** Words from one place to another. */
export interface Span {
  from: number;
  to: number;
}

/** What a sentence speaks of: "the kitchen lights", "Anna's lamp and the fan". */
export interface Target {
  end: number;
  kinds: readonly Kind[];
  /** It says where: a room, "here", or a thing by its own name. */
  isPlaced: boolean;
  /** Home Assistant knows it by this very name. */
  isNamed: boolean;
  /** Where the words for what it is stand: "lights" of "the kitchen lights". Null: it has a name of its own. */
  device: Span | null;
}

/** Longer descriptions are none of a thing at home. */
const mostEnds = 40;
const mostTargets = 4;

export type TargetReader = ReturnType<typeof createTargetReader>;

/** Finds what may be commanded in words: names of Home Assistant's things and areas, and what such things are called anyway. */
export function createTargetReader(words: HomeWords, readWords: WordReader) {
  const plain = (texts: readonly string[]) =>
    createPhraseFinder(
      texts.map((text) => ({ text, stands: null })),
      readWords,
    );
  const determiners = plain(words.determiners);
  const adjectives = plain(words.adjectives);
  const prepositions = plain(words.in);
  const here = plain(words.here);
  const and = plain(words.and);
  const everything = plain(words.everything);
  const devices = createPhraseFinder<Kind>(
    kinds.flatMap((kind) => words.devices[kind].map((text) => ({ text, stands: kind }))),
    readWords,
  );
  let areas = plain(words.rooms);
  let things = createPhraseFinder<Kind>([], readWords);

  /** Behind any number of these. */
  const past = (finder: ReturnType<typeof plain>, said: readonly Word[], from: number): number => {
    let at = from;
    for (let next = finder.at(said, at)[0]; next && at - from < 4; next = finder.at(said, at)[0])
      at = next.end;
    return at;
  };

  const placesAt = (said: readonly Word[], from: number): number[] => {
    const direct = here.at(said, from).map(({ end }) => end);
    const within = prepositions
      .at(said, from)
      .flatMap(({ end }) => areas.at(said, past(determiners, said, end)))
      .map(({ end }) => end);
    return [...direct, ...within];
  };

  /** One thing without a place behind it. */
  const thingsAt = (said: readonly Word[], from: number): Target[] => {
    const start = past(determiners, said, from);
    const named = (at: number) =>
      things
        .at(said, at)
        .map(({ end, found }) => ({ end, kinds: [found], isPlaced: true, isNamed: true, device: null }));
    const called = (at: number, isPlaced: boolean): Target[] =>
      devices.at(said, past(adjectives, said, at)).map(({ end, found }) => ({
        end,
        kinds: [found],
        isPlaced,
        isNamed: false,
        device: { from: at, to: end },
      }));
    const inArea = areas.at(said, start).flatMap(({ end }) => {
      const behind = past(determiners, said, end);
      return [...called(behind, true), ...named(behind)];
    });
    // Nobody can say that it is not known.
    const all = everything
      .at(said, start)
      .map(({ end }) => ({ end, kinds: [...kinds], isPlaced: false, isNamed: true, device: null }));
    return [...named(from), ...named(start), ...called(start, false), ...inArea, ...all];
  };

  const placedAt = (said: readonly Word[], from: number): Target[] =>
    thingsAt(said, from).flatMap((target) => [
      target,
      ...placesAt(said, target.end).map((end) => ({ ...target, end, isPlaced: true })),
    ]);

  const read = (said: readonly Word[], from: number, left = mostTargets): Target[] => {
    const first = placedAt(said, from);
    if (left <= 1) return first;
    const more = first.flatMap((target) =>
      and.at(said, target.end).flatMap(({ end }) =>
        read(said, end, left - 1).map((other) => ({
          end: other.end,
          kinds: [...target.kinds, ...other.kinds],
          isPlaced: target.isPlaced && other.isPlaced,
          isNamed: target.isNamed && other.isNamed,
          device: null,
        })),
      ),
    );
    return [...first, ...more].slice(0, mostEnds);
  };

  return {
    /** From now on these names are known. */
    learn(names: HouseNames): void {
      areas = plain([...words.rooms, ...names.areas]);
      things = createPhraseFinder<Kind>(
        names.things.map(({ id, name }) => ({
          text: name,
          stands: kindOfDomain[id.split('.')[0] ?? ''] ?? 'power',
        })),
        readWords,
      );
    },

    /** Every way to read a target that begins here. */
    read: (said: readonly Word[], from: number) => read(said, from),

    areasAt: (said: readonly Word[], from: number): number[] => areas.at(said, from).map(({ end }) => end),

    /** Without what only points at it: "kitchen lights" of "all the kitchen lights". */
    bare: (said: readonly Word[]) => said.slice(past(determiners, said, 0)),
  };
}
