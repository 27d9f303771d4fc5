import { createFirstPiece } from './first-piece.ts';
import { type Abbreviations, hasEnded, type SentenceEnd, sentenceEndOf } from './sentence-end.ts';

/** A piece is never longer: speech begins only when all of a piece is made. */
const maxCharacters = 400;
/** Where a text is cut for its length, a comma in this last part is better than a space. */
const commaWithin = 200;

const space = /\s/;
/** A line that ends with one of these needs no full stop. */
const lineEnd = /[.,;:!?…؟۔।。！？｡]["'”’»)\]*_~`」』）】]*$/;
/** Of languages that put no space between sentences. */
const stopWithoutSpace = /[。！？｡][」』）】”’"]*$/;
const afterStop = /[。！？｡」』）】”’"]/;
const sayable = /[\p{L}\p{N}]/u;
const address = /:\/\/|\]\(|data:/;

/** The language's part in splitting. */
export interface SplittingData {
  abbreviations: Abbreviations;
  /** Words with which a phrase begins that one can draw breath before: "and", "which", "in". Lower case. */
  phrase_openers: readonly string[];
}

/** Cuts the text outside programs: into its first piece, then sentences and lines. Holds the text of which no piece is certain yet. */
export function createSentenceCutter({ abbreviations, phrase_openers }: SplittingData) {
  const firstPiece = createFirstPiece(phrase_openers);
  let held = '';
  let end: SentenceEnd = 'no';
  let isFirst = true;
  /** In the rest of an address too long to hold. */
  let isSkipping = false;

  /** Gives out the first `length` characters, if there is anything to say in them. */
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

  /** White space: the moment in which a sentence or the first piece ends. */
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
    /** The pieces that are certain with one more character of a line. */
    add: (char: string) => (space.test(char) ? onSpace(char) : onOther(char)),
    /** The rest of the text. */
    takeRest: () => take(held.length),

    /** The rest of a line. Without a full stop it keeps its `lineBreak`. */
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

/** Whether a line needs no line break to tell that it is whole. */
function isStopped(line: string): boolean {
  return lineEnd.test(line.slice(-30).trimEnd());
}

/** Of languages that put no space between sentences: whether the next character begins a new one. */
function endsWithoutSpace(text: string, next: string): boolean {
  return stopWithoutSpace.test(text.slice(-8)) && !afterStop.test(next) && !isKeptWhole(text);
}

/** An address so long that it fills all that is held. */
function isAddress(text: string): boolean {
  return address.test(text) && !space.test(text);
}

/** Where a text that has become too long is cut: behind its last comma, its last word, or in the middle of a word without end. */
function placeToCut(text: string): number {
  const comma = Math.max(...[', ', '; ', ': ', '– ', '— '].map((mark) => text.lastIndexOf(mark)));
  if (comma >= maxCharacters - commaWithin) return comma + 1;
  const gap = text.search(/\s\S*$/);
  if (gap > 0) return gap;
  // A character of two halves stays whole.
  return /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
}
