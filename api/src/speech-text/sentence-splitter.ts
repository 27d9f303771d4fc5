import { type Fence, fenceAfter } from './code-fence.ts';
import { createFirstPiece } from './first-piece.ts';
import { type Abbreviations, hasEnded, type SentenceEnd, sentenceEndOf } from './sentence-end.ts';

/** A piece is never longer: speech begins only when all of a piece is made. */
const mostCharacters = 400;
/** Where a text is cut for its length, a comma in this last part is better than a space. */
const commaWithin = 200;

const space = /\s/;
const lineBreak = /[\n\u2028\u2029]/;
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

export type SentenceSplitter = ReturnType<typeof createSentenceSplitter>;

/**
 * Cuts a text that a language model streams into pieces to speak, each as soon as it certainly is one: its first clause, then sentences and
 * lines. It goes from character to character and knows nothing of deltas, so the same text cut anywhere gives the same pieces. A line that
 * ends without a full stop keeps its line break, which tells it from half a sentence. Programs in the text are left out but for their first
 * line, "```python".
 */
export function createSentenceSplitter({ abbreviations, phrase_openers }: SplittingData) {
  const firstPiece = createFirstPiece(phrase_openers);
  let held = '';
  let end: SentenceEnd = 'no';
  let isFirst = true;
  let fence: Fence | null = null;
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

  const drop = (): string[] => {
    held = '';
    end = 'no';
    return [];
  };

  const append = (char: string): string[] => {
    held += char;
    if (held.length < mostCharacters) return [];
    isSkipping = isAddress(held);
    const piece = take(placeToCut(held));
    if (isSkipping) held = '';
    return piece;
  };

  const endLine = (): string[] => {
    isSkipping = false;
    const before = fence;
    fence = fenceAfter(held, before);
    if (isLeftOut(before, fence)) return drop();
    return take(held.length, fence?.isCode || isStopped(held) ? '' : '\n');
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
    const isEnd = hasEnded(end, char) || endsWithoutSpace(held, char);
    const before = isEnd ? take(held.length) : [];
    end = 'no';
    return [...before, ...append(char)];
  };

  /** Of a program, only enough is kept to tell its last line. */
  const onCode = (char: string): string[] => {
    if (held.length < 8 && (held !== '' || !space.test(char))) held += char;
    return [];
  };

  const step = (char: string): string[] => {
    if (lineBreak.test(char)) return endLine();
    if (fence?.isCode) return onCode(char);
    if (space.test(char)) return onSpace(char);
    return isSkipping ? [] : onOther(char);
  };

  return {
    /** The pieces that are certain now. */
    push(text: string): string[] {
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += 1) pieces.push(...step(text.charAt(at)));
      return pieces;
    },
    /** The last piece, when the text is over. */
    end(): string[] {
      return fence?.isCode || isFenceLine(held) ? drop() : take(held.length);
    },
  };
}

function isFenceLine(line: string): boolean {
  return /^(?:```|~~~)[\w+#-]*$/.test(line.trimEnd());
}

/** Lines of a program, and the fences around plain text. The first line of a program stays, for it names the language. */
function isLeftOut(before: Fence | null, after: Fence | null): boolean {
  return before ? !after || after.isCode : after !== null && !after.isCode;
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
  if (comma >= mostCharacters - commaWithin) return comma + 1;
  const gap = text.search(/\s\S*$/);
  if (gap > 0) return gap;
  // A character of two halves stays whole.
  return /[\uD800-\uDBFF]/.test(text.charAt(mostCharacters - 1)) ? mostCharacters - 1 : mostCharacters;
}
