import { createPhraseFinder, type PhraseFinder } from '../../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../../language/grammar/words.ts';

/** Finds phrases that carry no value besides their words. */
export type WordFinder = PhraseFinder<null>;

export function createWordFinder(texts: readonly string[], readWords: WordReader): WordFinder {
  return createPhraseFinder(
    texts.map((text) => ({ text, stands: null })),
    readWords,
  );
}

/** Maximum number of determiners or adjectives in a row. */
const maxInARow = 4;

/** The end of the finder's phrases in a row from here: of "all the" in "all the lights". */
export function endOfRow(finder: WordFinder, said: readonly Word[], from: number): number {
  let at = from;
  for (let next = finder.at(said, at)[0]; next && at - from < maxInARow; next = finder.at(said, at)[0])
    at = next.end;
  return at;
}
