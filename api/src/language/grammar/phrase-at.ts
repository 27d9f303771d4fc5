import type { Word } from './words.ts';

/** Whether these words follow each other here. */
export function isPhraseAt(phrase: readonly string[], said: readonly Word[], at: number): boolean {
  return phrase.every((word, index) => said[at + index]?.word === word);
}

/** The position after a phrase such as "half past"; null if it is not here. */
export function phraseEnd(phrase: string, said: readonly Word[], at: number): number | null {
  const words = phrase.split(' ');
  return isPhraseAt(words, said, at) ? at + words.length : null;
}

/** The phrases by first word, cached because each list is a constant. */
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

/** The position after the longest matching phrase; null if none matches. */
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

/** The position after the longest matching phrase; unchanged if none matches. */
export function skipPhrase(phrases: readonly string[], said: readonly Word[], at: number): number {
  return longestPhraseEnd(phrases, said, at) ?? at;
}
