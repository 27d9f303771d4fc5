import type { NoteCopies } from './note-copies.ts';

/** Patterns of sentences in which a model claims an action. */
interface ActionClaimPatterns {
  /** Parts shared by several patterns: `<lead>` in a pattern stands for the part of that name. */
  parts: Readonly<Record<string, string>>;
  /** "I have set a timer." False unless it happened in this turn. */
  deeds: readonly string[];
  /** "Your timer is set." True if the model looked it up before. */
  states: readonly string[];
  /** "Sure, I can do that!" No claim by itself. */
  assents: readonly string[];
  /**
   * Words for the household's things. In requested texts, such as a story, only a sentence with one of these
   * can be a claim.
   */
  concerns: readonly string[];
  /** Whole sentences that confirm an action. At the start of a requested text they are claims, too. */
  confirmations: readonly string[];
  /** Sentence openings that may become a claim. */
  risks: readonly string[];
}

interface Judged {
  /** A tool looked something up in this turn. */
  isInformed: boolean;
  /** The person asked for a text, such as a story. */
  isForWords: boolean;
  /** The answer starts with these words. */
  isFirst: boolean;
}

export type ActionClaims = ReturnType<typeof createActionClaims>;

/** Not the name of a group, "(?<year>". */
const partName = /(?<!\(\?)<(\w+)>/g;
/** Maximum nesting of parts. */
const maxDepth = 5;

/** Detects sentences that claim an action. Throws if a pattern names an unknown part. */
export function createActionClaims(patterns: ActionClaimPatterns) {
  const { parts, deeds, states, assents, concerns, confirmations, risks } = patterns;
  const whole = (pattern: string, depth = 0): string =>
    pattern.replaceAll(partName, (_, name: string) => {
      const part = parts[name];
      if (part === undefined || depth > maxDepth)
        throw new Error(`tools.yaml: there is no part <${name}> for "${pattern}".`);
      return whole(part, depth + 1);
    });
  const compiled = (patterns: readonly string[]) => patterns.map((text) => new RegExp(whole(text), 'iu'));
  const [deed, state, assent, risk] = [deeds, states, assents, risks].map(compiled);
  const [concern, confirmation] = [concerns, confirmations].map(compiled);
  const has = (patterns: readonly RegExp[] | undefined, text: string) =>
    patterns?.some((pattern) => pattern.test(text)) === true;
  const plainOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

  return {
    /** `isInformed`: a tool looked something up in this turn, so the model may know a state. */
    isActionClaim(words: string, { isInformed, isForWords, isFirst }: Judged): boolean {
      const plain = plainOf(words);
      // "I opened the box" belongs to a story. "Done, I opened it" as its first sentence does not.
      const mayClaim = (each: string) =>
        !isForWords || has(concern, each) || (isFirst && has(confirmation, each));
      // An assent may precede the claim: "Sure, I can do that. Timer set."
      return [plain, ...plain.split(sentenceEnd)].some(
        (each) => (has(deed, each) || (!isInformed && has(state, each))) && mayClaim(each),
      );
    },
    /** Whether these words only agree. */
    isAssent: (words: string): boolean =>
      plainOf(words)
        .split(sentenceEnd)
        .every((each) => has(assent, each)),
    /** Whether a sentence with this opening may become a claim. */
    mayBecome: (words: string): boolean => has(risk, plainOf(words)),
  };
}

const sentenceEnd = /(?<=[.!?…]["'”’)\]]*)\s+/u;
/** The end of a sentence or of a line. */
const judgedEnd = /[.!?…]["'”’)\]]*\s+|\n\s*/gu;

/** Longer sentences are not claims. */
const maxSentence = 400;
/** The previous words may already contain the end of a sentence: a mark and its quotes. */
const maxClosing = 8;

interface ActionClaimGateOptions extends Partial<Omit<Judged, 'isFirst'>> {
  actionClaims: ActionClaims;
  /** Detects copies of the prompt's notes about Hearth's own answers. */
  noteCopies?: NoteCopies;
  /** The person gave a command, so "Sure." alone would be a claim. */
  isCommand?: boolean;
  /** Holds every sentence until it is complete, not only suspicious ones. */
  isStrict: boolean;
  say: (words: string) => void;
}

/**
 * Passes a model's words on until a sentence claims an action. It withholds that sentence and the rest,
 * because tools report their own actions. It withholds a mere assent together with the claim after it.
 */
export function createActionClaimGate(options: ActionClaimGateOptions) {
  const { actionClaims, noteCopies, isStrict, say } = options;
  const { isInformed = false, isForWords = false, isCommand = false } = options;
  let text = '';
  let said = 0;
  let judgedFrom = 0;
  let sentenceFrom = 0;
  let isWithheld = false;

  const letThrough = (end: number) => {
    if (isWithheld || end <= said) return;
    const judged = { isInformed, isForWords, isFirst: said === 0 };
    const words = text.slice(judgedFrom, end);
    // A story about a house may contain "The house answered: No.", but does not open with it.
    const isCopy = (!isForWords || judged.isFirst) && noteCopies?.isCopy(words) === true;
    isWithheld = isCopy || actionClaims.isActionClaim(words, judged);
    if (isWithheld) return;
    say(text.slice(said, end));
    said = end;
  };

  const passSentences = (from: number) => {
    judgedEnd.lastIndex = Math.max(sentenceFrom, from - maxClosing);
    for (let found = judgedEnd.exec(text); found && !isWithheld; found = judgedEnd.exec(text)) {
      sentenceFrom = found.index + found[0].length;
      if (said <= judgedFrom && actionClaims.isAssent(text.slice(judgedFrom, sentenceFrom))) continue;
      letThrough(sentenceFrom);
      judgedFrom = sentenceFrom;
    }
  };

  return {
    /** `endsWord`: white space follows these words, but is not part of them. */
    push(words: string, endsWord = false): void {
      const before = text.length;
      text += words;
      if (isWithheld) return;
      passSentences(before);
      const sentence = text.slice(judgedFrom);
      const isTooLong = sentence.length > maxSentence;
      // The first word must be complete: "Renam" may become anything.
      const isBegun = said > judgedFrom || endsWord || /\S\s/u.test(sentence);
      const isRisky = actionClaims.mayBecome(sentence) || noteCopies?.mayBecome(sentence) === true;
      if (isTooLong || (!isStrict && isBegun && !isRisky)) letThrough(text.length);
      if (isTooLong) judgedFrom = text.length;
      sentenceFrom = Math.max(sentenceFrom, judgedFrom);
    },
    /** Ends the text. Returns the passed text, and whether something was withheld. */
    end(): { said: string; isWithheld: boolean } {
      if (isCommand && !isInformed && text.trim() !== '' && said === 0 && actionClaims.isAssent(text))
        isWithheld = true;
      letThrough(text.length);
      return { said: text.slice(0, said), isWithheld };
    },
  };
}

/** Lets everything through. */
export function createOpenGate({ say }: Pick<ActionClaimGateOptions, 'say'>) {
  let text = '';
  return {
    push(words: string): void {
      text += words;
      say(words);
    },
    end: () => ({ said: text, isWithheld: false }),
  };
}
