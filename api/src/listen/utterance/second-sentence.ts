import { wordsOf } from './words.ts';

/**
 * If a joint transcript repeats the previous sentence in full and adds another one, returns the other one.
 * Otherwise null.
 */
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
