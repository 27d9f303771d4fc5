import type { Author, Question } from '../core/responder.ts';

export type ReplySoFar = ReturnType<typeof createReplySoFar>;

/**
 * Collects the spoken words of a reply: the model's words as they arrive, and our own sentences. Puts a space
 * between the pieces.
 */
export function createReplySoFar(say: Question['say']) {
  let text = '';
  let isNewPiece = false;
  let pieceFrom = 0;

  const add = (words: string, author?: Author) => {
    if (words === '') return;
    const gap = isNewPiece && text !== '' && !/^\s|^$/.test(words) && !/\s$/.test(text) ? ' ' : '';
    if (isNewPiece) pieceFrom = text.length;
    isNewPiece = false;
    text += gap + words;
    say(gap + words, author);
  };

  return {
    /** More of the same piece, in words of the model. */
    add: (words: string) => add(words, { isModel: true }),
    /** The next words do not continue the last ones. */
    endPiece(): void {
      isNewPiece = true;
    },
    /** Adds one of our own sentences. */
    speak(sentence: string): void {
      isNewPiece = true;
      add(sentence);
      isNewPiece = true;
    },
    get text(): string {
      return text.trim();
    },
    /** The text before the current piece. */
    get textBefore(): string {
      return text.slice(0, pieceFrom).trim();
    },
  };
}
