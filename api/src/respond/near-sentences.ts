import type { WordDistance } from './near-words.ts';

/** Up to here it is more likely that the other word was meant than that this one was said. */
const surelyMeant = 0.2;
/** A shorter word sounds like too many others. */
const fewestLetters = 3;
/** So many other words anchor the one that is wrong; a longer text is no command. */
const fewestWords = 3;
const maxWords = 16;
/** Work for one sentence is bounded. */
const maxSentences = 24;

export interface NearSentence {
  text: string;
  /** The word that was taken instead. */
  meant: string;
  distance: number;
  /** It may well be that the other word was said. */
  isDoubtful: boolean;
}

/** Words that can be meant, and how near another word must be to them. */
export interface NearSet {
  /** In lower case. */
  words: readonly string[];
  distance: WordDistance;
}

interface NearOptions {
  /** The words that can be meant here. */
  sets: readonly NearSet[];
  /** Words that mean what they are. */
  isCommon: (word: string) => boolean;
}

/** The same sentence with one word replaced by one that is near it and can be meant here, the nearest first. */
export function nearSentences(text: string, { sets, isCommon }: NearOptions): NearSentence[] {
  const said = [...text.matchAll(/[\p{L}\p{M}'’]+/gu)];
  if (said.length < fewestWords || said.length > maxWords) return [];
  const known = sets.map(({ words, distance }) => ({ words: new Set(words), distance }));
  const isKnown = (word: string) => known.some(({ words }) => words.has(word)) || isCommon(word);
  // "ml's" is "ml" with an ending, and no other word.
  const isBelieved = (word: string) => isKnown(word) || isKnown(word.replace(/['’]\p{L}*$/u, ''));
  const near = said.flatMap(({ 0: its, index }) => {
    const word = its.toLowerCase();
    if (word.length < fewestLetters || isBelieved(word)) return [];
    return [...nearest(word, known)].map(([meant, distance]) => ({
      text: `${text.slice(0, index)}${meant}${text.slice(index + its.length)}`,
      meant,
      distance,
      isDoubtful: distance > surelyMeant,
    }));
  });
  return near.toSorted((one, other) => one.distance - other.distance).slice(0, maxSentences);
}

/** Each word near this one, once. */
function nearest(
  word: string,
  known: readonly { words: ReadonlySet<string>; distance: WordDistance }[],
): Map<string, number> {
  const found = new Map<string, number>();
  for (const { words, distance } of known)
    for (const meant of words) {
      const apart = meant.length < fewestLetters || found.has(meant) ? null : distance(word, meant);
      if (apart !== null) found.set(meant, apart);
    }
  return found;
}
