import type { Word } from './words.ts';

/** Whether these words follow each other here. */
export function isPhraseAt(phrase: readonly string[], said: readonly Word[], at: number): boolean {
  return phrase.every((word, index) => said[at + index]?.word === word);
}

const elision = /(?<=')(?=.)/;

/**
 * The words of a phrase. One with an apostrophe has two forms, because the apostrophe ends a word in French
 * and Italian: "d'", "abord".
 */
export function phraseForms(phrase: string): string[][] {
  const words = phrase.split(' ');
  const elided = phrase.includes("'") ? words.flatMap((word) => word.split(elision)) : words;
  return elided.length === words.length ? [words] : [words, elided];
}

/** The position after a phrase such as "half past"; null if it is not here. */
export function phraseEnd(phrase: string, said: readonly Word[], at: number): number | null {
  const found = phraseForms(phrase).find((words) => isPhraseAt(words, said, at));
  return found ? at + found.length : null;
}

/** The phrases by first word, cached because each list is a constant. */
const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[][]>>();

function indexOf(phrases: readonly string[]): ReadonlyMap<string, readonly string[][]> {
  const known = indexes.get(phrases);
  if (known) return known;
  const index = Map.groupBy(phrases.flatMap(phraseForms), ([first = '']) => first);
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
