import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { WordFinder } from '../home/understand/word-finder.ts';
import type { CommandWords } from './command-words.ts';
import { createTemplateFinder } from './phrases.ts';

/** The words before the verb of a sentence. */
export interface Opening {
  /** The position of the verb. */
  at: number;
  /** "Could you". */
  isWish: boolean;
  /** "I want to". */
  isOwnWish: boolean;
  /** "Don't". */
  isNegative: boolean;
}

export function endOf(finder: WordFinder, said: readonly Word[], at: number): number {
  return finder.at(said, at).at(-1)?.end ?? at;
}

/**
 * Detects whether a sentence begins like a command: a content word, preceded only by polite phrases and
 * wishes.
 */
export function createSentenceOpening(words: CommandWords, readWords: WordReader) {
  const templates = (texts: readonly string[]) => createTemplateFinder(texts, readWords);
  const [openers, wishes] = [templates(words.openers), templates(words.wishes)];
  const [ownWishes, nots] = [templates(words.own_wishes), templates(words.nots)];
  const doObjects = templates(words.do_objects);
  const chores = templates(words.chores);
  const sets = {
    definite: new Set(words.definite),
    do: new Set(words.do),
    indefinite: new Set(words.indefinite),
    choresBefore: new Set(words.chores_before),
    neverFirst: new Set(words.never_first),
    neverSecond: new Set(words.never_second),
  };
  const endsLike = (word: string, endings: readonly string[]) =>
    endings.some((ending) => word.endsWith(ending));

  const isInflected = (word: string) => endsLike(word, words.endings) && !endsLike(word, words.but_endings);

  /** Skips one phrase before the verb. Returns the same opening if there is none. */
  const step = (said: readonly Word[], found: Opening): Opening => {
    const { at } = found;
    const wish = endOf(wishes, said, at);
    const not = endOf(nots, said, at);
    if (not > at && not >= wish) return { ...found, at: not, isNegative: true };
    if (wish > at) return { ...found, at: wish, isWish: true };
    const own = endOf(ownWishes, said, at);
    if (own > at) return { ...found, at: own, isOwnWish: true };
    return { ...found, at: endOf(openers, said, at) };
  };

  /** "Do that again": no question begins like this. */
  const isDo = (said: readonly Word[], { at }: Opening): boolean =>
    sets.do.has(said[at]?.word ?? '') && endOf(doObjects, said, at + 1) > at + 1;

  /** "Do the dishes", but not "do the dishes need washing". */
  const isChore = (said: readonly Word[], { at }: Opening): boolean => {
    const end = sets.do.has(said[at]?.word ?? '') ? endOf(chores, said, at + 1) : at + 1;
    return end > at + 1 && (end >= said.length || sets.choresBefore.has(said[end]?.word ?? ''));
  };

  return {
    isDo,
    isChore,

    /** "Anna likes the lamp": the second word is the verb, unless it names a thing. */
    isStatement(said: readonly Word[], { at, isWish, isOwnWish, isNegative }: Opening): boolean {
      const [next = '', third = ''] = said.slice(at + 1, at + 3).map(({ word }) => word);
      if (isWish || isOwnWish || isNegative) return false;
      return isInflected(next) && (sets.definite.has(third) || sets.indefinite.has(third));
    },

    read(said: readonly Word[]): Opening {
      let found: Opening = { at: 0, isWish: false, isOwnWish: false, isNegative: false };
      for (let next = step(said, found); next.at > found.at; next = step(said, found)) found = next;
      return found;
    },

    /** Whether the word after an opening can be the verb of a command. */
    isVerb(said: readonly Word[], opened: Opening): boolean {
      if (isDo(said, opened) || isChore(said, opened)) return true;
      const { at, isWish, isOwnWish, isNegative } = opened;
      const [word = '', next = '', third = ''] = said.slice(at, at + 3).map((each) => each.word);
      if (!/^\p{L}/u.test(word) || sets.neverFirst.has(word) || sets.neverSecond.has(next)) return false;
      if (isWish || isOwnWish || isNegative) return true;
      // "Lists help me", "running a fan is cheap", "Grandma moved the lamp".
      const isPast = words.past !== undefined && next.endsWith(words.past) && sets.definite.has(third);
      return !isInflected(word) && !isPast;
    },
  };
}
