import type { Word, WordReader } from './words.ts';

/** Finds phrases at a word position, in a time independent of their number. */
export interface PhraseFinder<T> {
  /** The end and value of each phrase that starts here. */
  at(words: readonly Word[], from: number): { end: number; found: T }[];
}

/** Phrases with a common beginning: the values that end here, and branches by the next word. */
interface Branch<T> {
  ending: Set<T>;
  next: Map<string, Branch<T>>;
}

const createBranch = <T>(): Branch<T> => ({ ending: new Set(), next: new Map() });

/** Builds a finder. It drops phrases without a speakable word, and duplicates with the same value. */
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
