import type { WordDistance } from './near-words.ts';

/** Below this distance, the replacement is more likely than the transcribed word. */
const surelyMeant = 0.2;
/** A shorter word sounds like too many others. */
const minLetters = 3;
/** Minimum number of other words that anchor the wrong one. */
const minWords = 3;
const maxWords = 16;
/** Limits the work for one sentence. */
const maxSentences = 24;

export interface NearSentence {
  text: string;
  /** The replacement word. */
  meant: string;
  distance: number;
  /** The original word may be right. */
  isDoubtful: boolean;
}

/** Candidate words, and the distance function to compare with them. */
export interface NearSet {
  /** In lower case. */
  words: ReadonlySet<string>;
  distance: WordDistance;
}

interface NearOptions {
  /** The candidate words here. */
  sets: readonly NearSet[];
  /** Words to take literally. */
  isCommon: (word: string) => boolean;
}

/** A word that no rule knows, and its position in the sentence. */
interface DoubtfulWord {
  its: string;
  index: number;
}

/** The words of a sentence that may be wrong. Empty: each is known, or the sentence is too short or long. */
export function doubtfulWords(text: string, isKnown: (word: string) => boolean): DoubtfulWord[] {
  const said = [...text.matchAll(/[\p{L}\p{M}'’]+/gu)];
  if (said.length < minWords || said.length > maxWords) return [];
  // "ml's" is "ml" with an ending, not another word.
  const isBelieved = (word: string) => isKnown(word) || isKnown(word.replace(/['’]\p{L}*$/u, ''));
  return said.flatMap(({ 0: its, index }) => {
    const word = its.toLowerCase();
    return word.length < minLetters || isBelieved(word) ? [] : [{ its, index }];
  });
}

/** Returns variants of a sentence with one word replaced by a similar candidate, nearest first. */
export function nearSentences(text: string, { sets, isCommon }: NearOptions): NearSentence[] {
  const isKnown = (word: string) => sets.some(({ words }) => words.has(word)) || isCommon(word);
  const near = doubtfulWords(text, isKnown).flatMap(({ its, index }) => {
    return [...nearest(its.toLowerCase(), sets)].map(([meant, distance]) => ({
      text: `${text.slice(0, index)}${meant}${text.slice(index + its.length)}`,
      meant,
      distance,
      isDoubtful: distance > surelyMeant,
    }));
  });
  return near.toSorted((one, other) => one.distance - other.distance).slice(0, maxSentences);
}

/** Returns each similar candidate once. */
function nearest(word: string, sets: readonly NearSet[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { words, distance } of sets)
    for (const meant of words) {
      const apart = meant.length < minLetters || found.has(meant) ? null : distance(word, meant);
      if (apart !== null) found.set(meant, apart);
    }
  return found;
}
