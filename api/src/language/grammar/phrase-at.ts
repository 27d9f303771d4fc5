import type { Word } from './words.ts';

/** Whether these words stand here, one behind the other. */
export function isPhraseAt(phrase: readonly string[], said: readonly Word[], at: number): boolean {
  return phrase.every((word, index) => said[at + index]?.word === word);
}

/** The place behind a phrase, "half past", that stands here; null where it does not. */
export function phraseEnd(phrase: string, said: readonly Word[], at: number): number | null {
  const words = phrase.split(' ');
  return isPhraseAt(words, said, at) ? at + words.length : null;
}

/** The words of phrases, by the first of them. Lists of phrases are constants of a language. */
const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[][]>>();

function indexOf(phrases: readonly string[]): ReadonlyMap<string, readonly string[][]> {
  const known = indexes.get(phrases);
  if (known) return known;
  const index = Map.groupBy(
    phrases.map((phrase) => phrase.split(' ')),
    ([first = '']) => first,
  );
  indexes.set(phrases, index);
  return index;
}

/** The place behind the longest of these phrases that stands here; null where none does. */
export function longestPhraseEnd(
  phrases: readonly string[],
  said: readonly Word[],
  at: number,
): number | null {
  let longest: number | null = null;
  for (const words of indexOf(phrases).get(said[at]?.word ?? '') ?? [])
    if (words.length > (longest ?? at) - at && isPhraseAt(words, said, at)) longest = at + words.length;
  return longest;
}

/** The place behind the longest of these phrases; here, where none stands. */
export function skipPhrase(phrases: readonly string[], said: readonly Word[], at: number): number {
  return longestPhraseEnd(phrases, said, at) ?? at;
}
