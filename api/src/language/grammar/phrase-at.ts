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

/** The place behind the longest of these phrases that stands here; null where none does. */
export function longestPhraseEnd(
  phrases: readonly string[],
  said: readonly Word[],
  at: number,
): number | null {
  const ends = phrases.flatMap((phrase) => phraseEnd(phrase, said, at) ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** The place behind the longest of these phrases; here, where none stands. */
export function skipPhrase(phrases: readonly string[], said: readonly Word[], at: number): number {
  return longestPhraseEnd(phrases, said, at) ?? at;
}
