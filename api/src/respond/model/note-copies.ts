import type { Phrase } from '../../language/phrase.ts';

export type NoteCopies = ReturnType<typeof createNoteCopies>;

/** Shorter texts of a note would also match ordinary sentences. */
const minWords = 2;

/**
 * Detects copies of the prompt's notes about Hearth's own answers: "(Before, I said: {question} The house
 * answered: {answer})". A small model sometimes continues with a note of its own, and what "the house
 * answered" in it never happened.
 */
export function createNoteCopies(note: Phrase) {
  const frames = note
    .flatMap((variant) => variant.split(/\{\w+\}/u))
    .map(plainOf)
    .filter((frame) => frame.split(' ').length >= minWords);

  return {
    /** Whether these words contain a note's fixed text. */
    isCopy(words: string): boolean {
      const plain = plainOf(words);
      return frames.some((frame) => plain.includes(frame));
    },
    /** Whether a sentence with this opening may become a note. */
    mayBecome(words: string): boolean {
      const plain = plainOf(words);
      return frames.some((frame) => frame.startsWith(plain) || plain.startsWith(frame));
    },
  };
}

/** Without brackets, capitals and the space before a French colon. */
function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[()[\]*"]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(' :', ':')
    .trim();
}
