import { type Fence, fenceAfter } from './code-fence.ts';
import { type Abbreviations, hasEnded, type SentenceEnd, sentenceEndOf } from './sentence-end.ts';

/** A piece is never longer: speech begins only when all of a piece is made. */
const mostCharacters = 400;
/** Where a text is cut for its length, a comma in this last part is better than a space. */
const commaWithin = 200;

/**
 * What the first clause must have to be spoken by itself: somewhat over a second of sound, in which the next words come and are made to
 * sound. A shorter one ("Well,") would be followed by a gap, and "Nice to meet you, Anna." is better said in one breath.
 */
const clause = { words: 4, characters: 20 };
/** A somewhat shorter one ("Once upon a time,") is spoken by itself too. */
const shortClauseCharacters = 15;
/** What stands before a colon ("Which timer:") is followed by a pause in any case. */
const introduction = { words: 2, characters: 10 };
/**
 * A first sentence that goes on for so many words without a comma ("The old keeper lived alone on a small island that") is parted where its
 * next phrase begins: nobody would wait for its end to draw breath either. Around two seconds of sound.
 */
const phraseWords = 8;
/** Where a first piece is cut only if more follows: so many words show that no short sentence ends there. */
const wordsThatFollow = 2;
/** Marks may belong to what is on both sides of a cut. */
const plainWords = /^[\p{L}\p{N}\s'’,.%-]+$/u;
/** "Two and a half" and "go on in" are one thing. */
const longWordLast = /\p{L}{4}\s+$/u;
const clauseEnd = /[,;:–—]["'”’)*_]*$|\p{L}{2}["”’)*_]? -$/u;
const word = /[\p{L}\p{N}](?:[^\s]*)/gu;

const space = /\s/;
const lineBreak = /[\n\u2028\u2029]/;
/** A line that ends with one of these needs no full stop. */
const lineEnd = /[.,;:!?…؟۔।。！？｡]["'”’»)\]*_~`」』）】]*$/;
/** Of languages that put no space between sentences. */
const stopWithoutSpace = /[。！？｡][」』）】”’"]*$/;
const afterStop = /[。！？｡」』）】”’"]/;
const sayable = /[\p{L}\p{N}]/u;
const address = /:\/\/|\]\(|data:/;

/** What the splitter has to know of a language. */
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
  const phraseOpeners = new Set(phrase_openers);
  let held = '';
  let end: SentenceEnd = 'no';
  let isFirst = true;
  /** Where the first piece may end in what is held, and how many words have come behind it. */
  let cut: { length: number; followedBy: number } | null = null;
  let fence: Fence | null = null;
  /** In the rest of an address too long to hold. */
  let isSkipping = false;

  /** Gives out the first `length` characters, if there is anything to say in them. */
  const take = (length: number, after = ''): string[] => {
    const piece = held.slice(0, length).trimEnd();
    held = held.slice(length).trimStart();
    end = 'no';
    cut = null;
    if (!sayable.test(piece)) return [];
    isFirst = false;
    return [piece + after];
  };

  /** The first clause, when it can be spoken by itself now that one more word is whole. */
  const takeClause = (): string[] => {
    if (!isFirst) return [];
    if (isClause(held, clause.characters)) return take(held.length);
    if (cut) cut.followedBy += 1;
    else cut = placeOfCut();
    return cut && cut.followedBy >= wordsThatFollow ? take(cut.length) : [];
  };
  const placeOfCut = () => {
    if (isShortClause(held) || isIntroduction(held)) return { length: held.length, followedBy: 0 };
    const last = held.slice(held.search(/\S+$/));
    const before = held.slice(0, -last.length);
    if (!phraseOpeners.has(last.toLowerCase()) || !isPhrase(before)) return null;
    return { length: before.length, followedBy: 0 };
  };

  const drop = (): string[] => {
    held = '';
    end = 'no';
    return [];
  };

  const endLine = (): string[] => {
    isSkipping = false;
    const before = fence;
    fence = fenceAfter(held, before);
    if (before ? !fence || fence.isCode : fence && !fence.isCode) return drop();
    return take(held.length, fence?.isCode || lineEnd.test(held.slice(-30).trimEnd()) ? '' : '\n');
  };

  const isWhole = () => /^(?:\||```|~~~)/.test(held);

  /** White space: the moment in which a sentence or the first clause ends. */
  const onSpace = (char: string): string[] => {
    isSkipping = false;
    if (held === '' || space.test(held.slice(-1))) return [];
    if (!isWhole()) {
      end = sentenceEndOf(held, abbreviations);
      if (end === 'yes') return take(held.length);
      const pieces = takeClause();
      if (pieces.length > 0) return held === '' ? pieces : [...pieces, ...append(char)];
    }
    return append(char);
  };

  const onOther = (char: string): string[] => {
    const isEnd =
      hasEnded(end, char) || (stopWithoutSpace.test(held.slice(-8)) && !afterStop.test(char) && !isWhole());
    const before = isEnd ? take(held.length) : [];
    end = 'no';
    return [...before, ...append(char)];
  };

  const append = (char: string): string[] => {
    held += char;
    if (held.length < mostCharacters) return [];
    const at = placeToCut(held);
    isSkipping = address.test(held) && !space.test(held);
    const piece = take(at);
    if (isSkipping) held = '';
    return piece;
  };

  const step = (char: string): string[] => {
    if (lineBreak.test(char)) return endLine();
    // Of a program only so much is kept as tells its last line.
    if (fence?.isCode) {
      if (held.length < 8 && (held !== '' || !space.test(char))) held += char;
      return [];
    }
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
    /** What is left when the text is over. */
    end(): string[] {
      return fence?.isCode || isFenceLine(held) ? drop() : take(held.length);
    },
  };
}

const isFenceLine = (line: string): boolean => /^(?:```|~~~)[\w+#-]*$/.test(line.trimEnd());

const isFilledBy = (text: string, least: { words: number; characters: number }): boolean =>
  text.length >= least.characters && (text.match(word)?.length ?? 0) >= least.words;

function isClause(text: string, characters: number): boolean {
  return clauseEnd.test(text) && isFilledBy(text, { ...clause, characters });
}

function isIntroduction(text: string): boolean {
  return /:["'”’)*_]*$/.test(text) && isFilledBy(text, introduction);
}

/** Shorter ones end with a comma or a colon: a dash in so few words may be anything. */
function isShortClause(text: string): boolean {
  return /[,;:]["'”’)*_]*$/.test(text) && isClause(text, shortClauseCharacters);
}

/** Long enough to be spoken by itself, and in plain words. */
function isPhrase(text: string): boolean {
  return longWordLast.test(text) && plainWords.test(text) && (text.match(word)?.length ?? 0) >= phraseWords;
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
