/**
 * Minimum size of a first clause spoken alone: just over a second of sound, which covers the next piece.
 * After a shorter one ("Well,") a gap would follow. "Nice to meet you, Anna." sounds better in one breath.
 */
const clause = { words: 4, characters: 20 };
/** Minimum length of a short clause ("Once upon a time,") that is spoken alone. */
const shortClauseCharacters = 15;
/** An introduction before a colon ("Which timer:") is always followed by a pause. */
const introduction = { words: 2, characters: 10 };
/**
 * After this many words without a comma, the first sentence is cut before its next phrase. Example: "The old
 * keeper lived alone on a small island that". A speaker would also draw breath there. About two seconds of
 * sound.
 */
const phraseWords = 8;
/** Some cuts need this many words after them, which prove that no short sentence ends there. */
const wordsThatFollow = 2;
/** Other characters may belong to the words on both sides of a cut. */
const plainWords = /^[\p{L}\p{N}\s'’,.%-]+$/u;
/** Keeps "two and a half" and "go on in" together. */
const longWordLast = /\p{L}{4}\s+$/u;
const clauseEnd = /[,;:–—]["'”’)*_]*$|\p{L}{2}["”’)*_]? -$/u;
const word = /[\p{L}\p{N}](?:[^\s]*)/gu;

/** A possible end of the first piece, and the number of words after it. */
interface Cut {
  length: number;
  followedBy: number;
}

/**
 * Finds where the first piece of a text ends, so that speech can begin before the first sentence is whole.
 */
export function createFirstPiece(phraseOpeners: readonly string[]) {
  const openers = new Set(phraseOpeners);
  let cut: Cut | null = null;
  return {
    /** Length of the first piece after one more complete word; null while it is undecided. */
    lengthIn(text: string): number | null {
      if (isClause(text, clause.characters)) return text.length;
      if (cut) cut.followedBy += 1;
      else cut = cutIn(text, openers);
      return cut && cut.followedBy >= wordsThatFollow ? cut.length : null;
    },
    /** Starts over after a piece was taken. */
    startAgain(): void {
      cut = null;
    },
  };
}

/** Cuts after a short clause or an introduction, or before the latest word if it begins a phrase. */
function cutIn(text: string, openers: ReadonlySet<string>): Cut | null {
  if (isShortClause(text) || isIntroduction(text)) return { length: text.length, followedBy: 0 };
  const last = text.slice(text.search(/\S+$/));
  const before = text.slice(0, -last.length);
  if (!openers.has(last.toLowerCase()) || !isPhrase(before)) return null;
  return { length: before.length, followedBy: 0 };
}

const isFilledBy = (text: string, least: { words: number; characters: number }): boolean =>
  text.length >= least.characters && (text.match(word)?.length ?? 0) >= least.words;

function isClause(text: string, characters: number): boolean {
  return clauseEnd.test(text) && isFilledBy(text, { ...clause, characters });
}

function isIntroduction(text: string): boolean {
  return /:["'”’)*_]*$/.test(text) && isFilledBy(text, introduction);
}

/** Shorter texts must end with a comma or a colon, because a dash among so few words is ambiguous. */
function isShortClause(text: string): boolean {
  return /[,;:]["'”’)*_]*$/.test(text) && isClause(text, shortClauseCharacters);
}

/** Whether the text is long enough to be spoken alone and uses plain words. */
function isPhrase(text: string): boolean {
  return longWordLast.test(text) && plainWords.test(text) && (text.match(word)?.length ?? 0) >= phraseWords;
}
