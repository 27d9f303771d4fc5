import { createPhraseFinder, type PhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';

/** Finds phrases that differ in nothing but their words. */
export type WordFinder = PhraseFinder<null>;

export function createWordFinder(texts: readonly string[], readWords: WordReader): WordFinder {
  return createPhraseFinder(
    texts.map((text) => ({ text, stands: null })),
    readWords,
  );
}

/** Nobody piles up more determiners or adjectives than this. */
const maxInARow = 4;

/** The end of all phrases of a finder that stand in a row from here: of "all the" in "all the lights". */
export function endOfRow(finder: WordFinder, said: readonly Word[], from: number): number {
  let at = from;
  for (let next = finder.at(said, at)[0]; next && at - from < maxInARow; next = finder.at(said, at)[0])
    at = next.end;
  return at;
}
