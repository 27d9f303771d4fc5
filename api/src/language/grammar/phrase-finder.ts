import type { Word, WordReader } from './words.ts';

/** Finds phrases at a place between words, however many phrases there are. */
export interface PhraseFinder<T> {
  /** Where each phrase that begins here ends, with what it stands for. */
  at(words: readonly Word[], from: number): { end: number; found: T }[];
}

/** The phrases that begin with the same words: what those stand for that end here, and the others by their next word. */
interface Branch<T> {
  ending: Set<T>;
  next: Map<string, Branch<T>>;
}

const createBranch = <T>(): Branch<T> => ({ ending: new Set(), next: new Map() });

/**
 * Phrases of one or more words. A phrase without a word that can be said is left out; of phrases with the same words that stand for the same, one is
 * kept.
 */
export function createPhraseFinder<T>(
  phrases: readonly { text: string; stands: T }[],
  readWords: WordReader,
): PhraseFinder<T> {
  const root = createBranch<T>();
  for (const { text, stands } of phrases) {
    let branch = root;
    for (const { word } of readWords(text)) {
      const next = branch.next.get(word) ?? createBranch<T>();
      branch.next.set(word, next);
      branch = next;
    }
    if (branch !== root) branch.ending.add(stands);
  }
  return {
    at(words, from) {
      const known: { end: number; found: T }[] = [];
      let branch = root.next.get(words[from]?.word ?? '');
      for (let end = from + 1; branch; end += 1) {
        for (const found of branch.ending) known.push({ end, found });
        branch = branch.next.get(words[end]?.word ?? '');
      }
      return known;
    },
  };
}
