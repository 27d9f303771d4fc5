import { isPhraseAt } from './phrase-at.ts';
import type { Word, WordReader } from './words.ts';

/** Finds phrases at a place between words, by their first word. */
export interface PhraseFinder<T> {
  /** Where each phrase that begins here ends, with what it stands for. */
  at(words: readonly Word[], from: number): { end: number; found: T }[];
}

/** Phrases of one or more words. A phrase without a word that can be said is left out. */
export function createPhraseFinder<T>(
  phrases: readonly { text: string; stands: T }[],
  readWords: WordReader,
): PhraseFinder<T> {
  const byFirst = new Map<string, { rest: readonly string[]; stands: T }[]>();
  for (const { text, stands } of phrases) {
    const [first, ...rest] = readWords(text).map(({ word }) => word);
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), { rest, stands }]);
  }
  return {
    at(words, from) {
      const known = byFirst.get(words[from]?.word ?? '') ?? [];
      return known
        .filter(({ rest }) => isPhraseAt(rest, words, from + 1))
        .map(({ rest, stands }) => ({ end: from + 1 + rest.length, found: stands }));
    },
  };
}
