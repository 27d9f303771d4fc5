/** The words of a language in which a model says that it has done something. */
export interface ActionClaimPatterns {
  /** Parts that several of the patterns share: `<lead>` in a pattern stands for the part of that name. */
  parts: Readonly<Record<string, string>>;
  /** "I have set a timer." Never true unless it was done in this very turn. */
  deeds: readonly string[];
  /** "Your timer is set." True when it was looked up before. */
  states: readonly string[];
  /** "Sure, I can do that!" Says nothing by itself. */
  assents: readonly string[];
  /** What the household has: in words that were asked for, as a story is, only a sentence with one of these can be a claim. */
  concerns: readonly string[];
  /** The beginnings of sentences that may become a claim. */
  risks: readonly string[];
}

interface Judged {
  /** Something was looked up in this turn. */
  isInformed: boolean;
  /** The person asked for words, such as a story. */
  isForWords: boolean;
}

export type ActionClaims = ReturnType<typeof createActionClaims>;

/** Not the name of a group, "(?<year>". */
const partName = /(?<!\(\?)<(\w+)>/g;
/** Parts within parts. */
const maxDepth = 5;

/** Tells sentences that claim something was done from others. Throws when a pattern names a part that there is not. */
export function createActionClaims(patterns: ActionClaimPatterns) {
  const { parts, deeds, states, assents, concerns, risks } = patterns;
  const whole = (pattern: string, depth = 0): string =>
    pattern.replaceAll(partName, (_, name: string) => {
      const part = parts[name];
      if (part === undefined || depth > maxDepth)
        throw new Error(`tools.yaml: there is no part <${name}> for "${pattern}".`);
      return whole(part, depth + 1);
    });
  const compiled = (patterns: readonly string[]) => patterns.map((text) => new RegExp(whole(text), 'iu'));
  const [deed, state, assent, concern, risk] = [deeds, states, assents, concerns, risks].map(compiled);
  const has = (patterns: readonly RegExp[] | undefined, text: string) =>
    patterns?.some((pattern) => pattern.test(text)) === true;
  const plainOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

  return {
    /** `isInformed`: something was looked up in this turn, so that a state may be known. */
    isActionClaim(words: string, { isInformed, isForWords }: Judged): boolean {
      const plain = plainOf(words);
      // A sentence that agrees may stand before: "Sure, I can do that. Timer set."
      return [plain, ...plain.split(sentenceEnd)].some(
        (each) =>
          (has(deed, each) || (!isInformed && has(state, each))) && (!isForWords || has(concern, each)),
      );
    },
    /** Whether these words only agree. */
    isAssent: (words: string): boolean =>
      plainOf(words)
        .split(sentenceEnd)
        .every((each) => has(assent, each)),
    /** Whether a sentence that begins like this may become a claim. */
    mayBecome: (words: string): boolean => has(risk, plainOf(words)),
  };
}

const sentenceEnd = /(?<=[.!?…]["'”’)\]]*)\s+/u;
/** The end of a sentence or of a line. */
const judgedEnd = /[.!?…]["'”’)\]]*\s+|\n\s*/gu;

/** Nobody makes a claim in a sentence that goes on this long. */
const maxSentence = 400;
/** The end of a sentence may have come with the words before: a sign and its quotes. */
const maxClosing = 8;

interface ActionClaimGateOptions extends Partial<Judged> {
  actionClaims: ActionClaims;
  /** Something is to be done: "Sure." alone would be a claim. */
  isCommand?: boolean;
  /** Every sentence waits until it is whole, not only those that begin like a claim. */
  isStrict: boolean;
  say: (words: string) => void;
}

/**
 * Lets a model's words through until they claim that something was done: that sentence and all behind it are withheld, because the tools tell themselves
 * what they did. A sentence that only agrees is withheld with the claim behind it.
 */
export function createActionClaimGate(options: ActionClaimGateOptions) {
  const { actionClaims, isStrict, say, isInformed = false, isForWords = false, isCommand = false } = options;
  let text = '';
  let said = 0;
  let judgedFrom = 0;
  let sentenceFrom = 0;
  let isWithheld = false;

  const letThrough = (end: number) => {
    if (isWithheld || end <= said) return;
    isWithheld = actionClaims.isActionClaim(text.slice(judgedFrom, end), { isInformed, isForWords });
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
    /** `endsWord`: white space has come behind these words, though it is not among them. */
    push(words: string, endsWord = false): void {
      const before = text.length;
      text += words;
      if (isWithheld) return;
      passSentences(before);
      const sentence = text.slice(judgedFrom);
      const isTooLong = sentence.length > maxSentence;
      // The first word has to be whole: nobody knows what becomes of "Renam".
      const isBegun = said > judgedFrom || endsWord || /\S\s/u.test(sentence);
      if (isTooLong || (!isStrict && isBegun && !actionClaims.mayBecome(sentence))) letThrough(text.length);
      if (isTooLong) judgedFrom = text.length;
      sentenceFrom = Math.max(sentenceFrom, judgedFrom);
    },
    /** The text is whole. Returns what was let through, and whether something was withheld. */
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
