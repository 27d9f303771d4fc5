import { createFirstPiece } from './first-piece.ts';
import { type Abbreviations, hasEnded, type SentenceEnd, sentenceEndOf } from './sentence-end.ts';

/** Maximum length of a piece. Speech begins only after a whole piece is synthesized. */
const maxCharacters = 400;
/** When a long text is cut, a comma within this last part is preferred to a space. */
const commaWithin = 200;

const space = /\s/;
/** A line that ends with one of these needs no full stop. */
const lineEnd = /[.,;:!?…؟۔।。！？｡]["'”’»)\]*_~`」』）】]*$/;
/** Sentence ends in languages without a space between sentences. */
const stopWithoutSpace = /[。！？｡][」』）】”’"]*$/;
const afterStop = /[。！？｡」』）】”’"]/;
const sayable = /[\p{L}\p{N}]/u;
const address = /:\/\/|\]\(|data:/;

/** Language data for the splitter. */
export interface SplittingData {
  abbreviations: Abbreviations;
  /** Lower-case words that begin a phrase and allow a breath before them: "and", "which", "in". */
  phrase_openers: readonly string[];
}

/**
 * Cuts text outside code into its first piece, then into sentences and lines. It holds text until the next
 * cut is certain.
 */
export function createSentenceCutter({ abbreviations, phrase_openers }: SplittingData) {
  const firstPiece = createFirstPiece(phrase_openers);
  let held = '';
  let end: SentenceEnd = 'no';
  let isFirst = true;
  /** True while the cutter skips the rest of an address that is too long to hold. */
  let isSkipping = false;

  /** Returns the first `length` characters, if they contain something to say. */
  const take = (length: number, after = ''): string[] => {
    const piece = held.slice(0, length).trimEnd();
    held = held.slice(length).trimStart();
    end = 'no';
    firstPiece.startAgain();
    if (!sayable.test(piece)) return [];
    isFirst = false;
    return [piece + after];
  };

  const append = (char: string): string[] => {
    held += char;
    if (held.length < maxCharacters) return [];
    isSkipping = isAddress(held);
    const piece = take(placeToCut(held));
    if (isSkipping) held = '';
    return piece;
  };

  /** White space ends a sentence or the first piece. */
  const onSpace = (char: string): string[] => {
    isSkipping = false;
    if (held === '' || space.test(held.slice(-1))) return [];
    if (isKeptWhole(held)) return append(char);
    end = sentenceEndOf(held, abbreviations);
    if (end === 'yes') return take(held.length);
    const first = isFirst ? firstPiece.lengthIn(held) : null;
    const pieces = first === null ? [] : take(first);
    return pieces.length > 0 && held === '' ? pieces : [...pieces, ...append(char)];
  };

  const onOther = (char: string): string[] => {
    if (isSkipping) return [];
    const isEnd = hasEnded(end, char) || endsWithoutSpace(held, char);
    const before = isEnd ? take(held.length) : [];
    end = 'no';
    return [...before, ...append(char)];
  };

  return {
    held: () => held,
    /** Adds one character of a line and returns the pieces that are now certain. */
    add: (char: string) => (space.test(char) ? onSpace(char) : onOther(char)),
    /** Returns the rest of the text. */
    takeRest: () => take(held.length),

    /** Returns the rest of a line. Without a full stop it keeps its `lineBreak`. */
    endLine(lineBreak: string): string[] {
      isSkipping = false;
      return take(held.length, isStopped(held) ? '' : lineBreak);
    },

    dropLine(): void {
      isSkipping = false;
      held = '';
      end = 'no';
    },
  };
}

/** Rows of tables and fences end with their line. */
function isKeptWhole(line: string): boolean {
  return /^(?:\||```|~~~)/.test(line);
}

/** Whether the line shows without its line break that it is complete. */
function isStopped(line: string): boolean {
  return lineEnd.test(line.slice(-30).trimEnd());
}

/** In languages without a space between sentences: whether the next character begins a new one. */
function endsWithoutSpace(text: string, next: string): boolean {
  return stopWithoutSpace.test(text.slice(-8)) && !afterStop.test(next) && !isKeptWhole(text);
}

/** Whether one long address fills the whole held text. */
function isAddress(text: string): boolean {
  return address.test(text) && !space.test(text);
}

/** Returns where to cut an overlong text: after its last comma, its last word, or within an endless word. */
function placeToCut(text: string): number {
  const comma = Math.max(...[', ', '; ', ': ', '– ', '— '].map((mark) => text.lastIndexOf(mark)));
  if (comma >= maxCharacters - commaWithin) return comma + 1;
  const gap = text.search(/\s\S*$/);
  if (gap > 0) return gap;
  // Keeps surrogate pairs together.
  return /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
}
