import { wordsOf } from './words.ts';

/** The words behind the sentence before, if a transcript is that sentence, complete, with another one after it; null: it is not. */
export function secondSentence(before: string, whole: string): string | null {
  const words = wordsOf(before);
  const pieces = whole.split(/(?<=[.?!])\s+/);
  for (let count = 1; count < pieces.length; count += 1) {
    const first = wordsOf(pieces.slice(0, count).join(' '));
    if (first.length >= words.length)
      return first.join(' ') === words.join(' ') ? pieces.slice(count).join(' ') : null;
  }
  return null;
}
