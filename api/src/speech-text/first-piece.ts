/**
 * The first clause is spoken by itself from this length: somewhat over a second of sound, in which the next words come and are made to
 * sound. A shorter one ("Well,") would be followed by a gap, and "Nice to meet you, Anna." is better said in one breath.
 */
const clause = { words: 4, characters: 20 };
/** A somewhat shorter one ("Once upon a time,") is spoken by itself too. */
const shortClauseCharacters = 15;
/** An introduction before a colon ("Which timer:") is followed by a pause in any case. */
const introduction = { words: 2, characters: 10 };
/**
 * A first sentence that goes on for so many words without a comma ("The old keeper lived alone on a small island that") is parted where its
 * next phrase begins: nobody would wait for its end to draw breath either. Around two seconds of sound.
 */
const phraseWords = 8;
/** Some cuts need more words behind them: this many show that no short sentence ends there. */
const wordsThatFollow = 2;
/** Other marks may belong to the words on both sides of a cut. */
const plainWords = /^[\p{L}\p{N}\s'’,.%-]+$/u;
/** "Two and a half" and "go on in" are one thing. */
const longWordLast = /\p{L}{4}\s+$/u;
const clauseEnd = /[,;:–—]["'”’)*_]*$|\p{L}{2}["”’)*_]? -$/u;
const word = /[\p{L}\p{N}](?:[^\s]*)/gu;

/** A place where the first piece may end, and how many words have come behind it. */
interface Cut {
  length: number;
  followedBy: number;
}

/** Finds where the first piece of a text ends, so that speech can begin before the first sentence is whole. */
export function createFirstPiece(phraseOpeners: readonly string[]) {
  const openers = new Set(phraseOpeners);
  let cut: Cut | null = null;
  return {
    /** The length of the first piece, now that one more word of the text is whole; null while it cannot be told. */
    lengthIn(text: string): number | null {
      if (isClause(text, clause.characters)) return text.length;
      if (cut) cut.followedBy += 1;
      else cut = cutIn(text, openers);
      return cut && cut.followedBy >= wordsThatFollow ? cut.length : null;
    },
    /** A piece was taken: the text begins anew. */
    startAgain(): void {
      cut = null;
    },
  };
}

/** Behind a short clause or an introduction, or before the word that has just come and begins a phrase. */
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

/** Shorter ones end with a comma or a colon: a dash in so few words may be anything. */
function isShortClause(text: string): boolean {
  return /[,;:]["'”’)*_]*$/.test(text) && isClause(text, shortClauseCharacters);
}

/** Long enough to be spoken by itself, and in plain words. */
function isPhrase(text: string): boolean {
  return longWordLast.test(text) && plainWords.test(text) && (text.match(word)?.length ?? 0) >= phraseWords;
}
