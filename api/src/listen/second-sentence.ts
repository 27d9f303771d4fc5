import { wordsOf } from './words.ts';

/** Whether a transcript is the sentence before, complete, with another one after it. */
export function isSecondSentence(before: string, whole: string): boolean {
  const words = wordsOf(before);
  const pieces = whole.split(/(?<=[.?!])\s+/);
  for (let count = 1; count < pieces.length; count += 1) {
    const first = wordsOf(pieces.slice(0, count).join(' '));
    if (first.length >= words.length) return first.join(' ') === words.join(' ');
  }
  return false;
}
