/** A word of a text, in lower case, and its position. */
export interface SpokenWord {
  text: string;
  from: number;
  to: number;
}

export function spokenWordsOf(text: string): SpokenWord[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
}
