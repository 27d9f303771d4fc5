import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import { createWordFinder } from '../home/understand/word-finder.ts';
import { type CommandWords, type HearthTopic, hearthTopics } from './command-words.ts';

/** Something that Hearth manages, at its position in the sentence. */
export interface NamedThing {
  topic: HearthTopic;
  /** Position after its name. */
  end: number;
  /** `definite`: an existing one, "the lamp". */
  how: 'definite' | 'indefinite' | 'none';
  /** A preposition precedes it: "on my list". */
  isAt: boolean;
  /** It only gives a place or a time: "turn left at the lights". */
  isPlace: boolean;
  /** Only determiners and adjectives separate it from the verb. */
  isDirect: boolean;
}

export interface ThingFinder {
  /** The thing whose name begins here. */
  at(said: readonly Word[], at: number): { topic: HearthTopic; end: number } | null;
  /**
   * The topic of a clause that is only a name: "kitchen lights, party mode". Before a colon, other words may
   * precede it: "pasta timer".
   */
  addressed(clause: readonly Word[], options?: { isSetOff: boolean }): HearthTopic | null;
  /** The first thing from this position that is not only mentioned. */
  in(said: readonly Word[], from: number): NamedThing | null;
}

interface ThingFinderOptions {
  words: CommandWords;
  readWords: WordReader;
  /** Words for the rooms and things of any home. */
  homeThings: readonly string[];
}

/** Maximum distance of a determiner from its noun, in words. */
const maxBefore = 4;
/** Maximum number of determiners and adjectives between a verb and its object. */
const maxBetween = 3;

/** Finds the things that Hearth manages in a sentence. The names in a home may change while Hearth runs. */
export function createThingFinder({ words, readWords, homeThings }: ThingFinderOptions) {
  const general = byTopic({ ...words.things, home: [...words.things.home, ...homeThings] }, readWords);
  const creatable = createWordFinder(words.creatable, readWords);
  const sets = {
    definite: new Set(words.definite),
    indefinite: new Set(words.indefinite),
    named: new Set(words.named),
    of: new Set(words.of),
    ofLists: new Set(words.of_lists),
    about: new Set(words.about),
    at: new Set(words.at),
    places: new Set(words.places),
    whom: new Set(words.whom),
  };
  const wordAt = (said: readonly Word[], at: number) => said[at]?.word ?? '';

  const determiner = (said: readonly Word[], from: number, at: number): NamedThing['how'] => {
    for (let before = at - 1; before >= Math.max(from, at - maxBefore); before -= 1) {
      if (sets.definite.has(wordAt(said, before))) return 'definite';
      if (sets.indefinite.has(wordAt(said, before))) return 'indefinite';
    }
    return 'none';
  };

  const isDirect = (said: readonly Word[], from: number, at: number): boolean => {
    let first = from;
    while (sets.whom.has(wordAt(said, first))) first += 1;
    const between = said.slice(first, at).map(({ word }) => word);
    const parts = (word: string) => sets.at.has(word) || (sets.ofLists.has(word) && !sets.definite.has(word));
    return between.length <= maxBetween && !between.some(parts);
  };

  /** "A list of rivers", "the volume of a cube". */
  const isOfOthers = (
    said: readonly Word[],
    { topic, end }: { topic: HearthTopic; end: number },
    how: string,
  ) => {
    // "The window of opportunity", but "the window of the bedroom".
    const next = wordAt(said, end + 1);
    if (
      topic === 'home' &&
      sets.of.has(wordAt(said, end)) &&
      !sets.definite.has(next) &&
      general.at(said, end + 1).length === 0
    )
      return true;
    const belongs = topic === 'list' ? sets.ofLists : sets.of;
    return (
      belongs.has(wordAt(said, end)) &&
      (how === 'indefinite' || topic === 'self' || sets.indefinite.has(wordAt(said, end + 1)))
    );
  };

  /** "Add a lamp" creates one. In a story about a lamp, more than its name follows. */
  const isNew = (said: readonly Word[], { topic, end }: { topic: HearthTopic; end: number }) =>
    topic === 'home' && (said[end]?.gap !== '' || sets.named.has(wordAt(said, end)));

  return (names: readonly string[]): ThingFinder => {
    const named = createWordFinder(names, readWords);
    const thingAt: ThingFinder['at'] = (said, at) => {
      const found = general.at(said, at).at(-1);
      const end = named.at(said, at).at(-1)?.end ?? 0;
      if (end > (found?.end ?? 0)) return { topic: 'home', end };
      return found ? { topic: found.found, end: found.end } : null;
    };
    /** The thing at this position. Null: it is indefinite, or belongs to somebody else. */
    const namedAt = (said: readonly Word[], from: number, at: number): NamedThing | null => {
      const thing = thingAt(said, at);
      if (!thing) return null;
      const how = determiner(said, from, at);
      const isObject = isDirect(said, from, at);
      const isThere =
        how !== 'indefinite' || creatable.at(said, at).length > 0 || (isObject && isNew(said, thing));
      if (!isThere || isOfOthers(said, thing, how)) return null;
      const isAt = said.slice(from, thing.end).some(({ word }) => sets.at.has(word));
      const isPlace = said.slice(from, at).some(({ word }) => sets.places.has(word));
      return { ...thing, how, isAt, isPlace, isDirect: isObject };
    };
    /** The thing that the remaining words name, if they contain nothing else: "kitchen lights". */
    const wholeAt = (clause: readonly Word[], from: number): HearthTopic | null => {
      let [at, topic]: [number, HearthTopic | null] = [from, null];
      for (let thing = thingAt(clause, at); thing; thing = thingAt(clause, at)) {
        at = thing.end;
        topic = thing.topic;
      }
      // The assistant's name addresses the assistant, not a thing.
      return at === clause.length && topic !== 'self' ? topic : null;
    };
    return {
      at: thingAt,
      addressed(clause, { isSetOff } = { isSetOff: false }) {
        const first = sets.definite.has(wordAt(clause, 0)) ? 1 : 0;
        const begins = clause.slice(first, first + (isSetOff ? maxBetween : 1));
        const topics = begins.map(({ word }, at) =>
          sets.about.has(word) ? null : wholeAt(clause, first + at),
        );
        return topics.find((topic) => topic !== null) ?? null;
      },
      in(said, from) {
        for (let at = from; at < said.length; at = Math.max(at + 1, thingAt(said, at)?.end ?? 0)) {
          if (sets.about.has(wordAt(said, at))) return null;
          const thing = namedAt(said, from, at);
          if (thing) return thing;
        }
        return null;
      },
    };
  };
}

export function byTopic(texts: Readonly<Record<HearthTopic, readonly string[]>>, readWords: WordReader) {
  return createPhraseFinder<HearthTopic>(
    hearthTopics.flatMap((topic) => texts[topic].map((text) => ({ text, stands: topic }))),
    readWords,
  );
}
