/** The words of a language in which a model says that it has done something. */
export interface ActionClaimPatterns {
  /** Parts that several of the patterns share: `<lead>` in a pattern stands for the part of that name. */
  parts: Readonly<Record<string, string>>;
  /** "I have set a timer." Never true unless it was done in this very turn. */
  deeds: readonly string[];
  /** "Your timer is set." True when it was looked up before. */
  states: readonly string[];
  /** The words with which such a clause begins: "I", "of course". */
  openers: readonly string[];
  /** It also begins with one of these, where one of `things` comes soon behind it: "the front door is locked". */
  determiners: readonly string[];
  /** A pattern for what is acted upon. */
  things: string;
}

/** Behind a determiner, a thing that is acted upon comes no later than this: "the two kitchen lights". */
const maxBeforeThing = 3;

export type ActionClaims = ReturnType<typeof createActionClaims>;

/** Not the name of a group, "(?<year>". */
const partName = /(?<!\(\?)<(\w+)>/g;

/** Tells sentences that claim something was done from others. Throws when a pattern names a part that there is not. */
export function createActionClaims(patterns: ActionClaimPatterns) {
  const { parts, deeds, states, openers, determiners } = patterns;
  const whole = (pattern: string) =>
    pattern.replaceAll(partName, (_, name: string) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`tools.yaml: there is no part <${name}> for "${pattern}".`);
      return part;
    });
  const compiled = (patterns: readonly string[]) => patterns.map((text) => new RegExp(whole(text), 'iu'));
  const [deed, state, things] = [compiled(deeds), compiled(states), compiled([`^(?:${patterns.things})$`])];
  const has = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

  return {
    /** `isInformed`: something was looked up in this turn, so that a state may be known. */
    isActionClaim(sentence: string, isInformed: boolean): boolean {
      const plain = sentence.replaceAll(/\s+/g, ' ').trim();
      return has(deed, plain) || (!isInformed && has(state, plain));
    },
    /** Whether a clause that begins like this may become a claim. */
    mayBecome(clause: string): boolean {
      const plain = clause.trimStart().toLowerCase().replaceAll('’', "'").replaceAll(/[,.!]/gu, '');
      if (openers.some((opener) => opener.startsWith(plain) || `${plain} `.startsWith(`${opener} `)))
        return true;
      const [first = '', ...others] = plain.split(/\s+/u);
      if (others.length === 0) return determiners.some((determiner) => determiner.startsWith(first));
      const isOpen = others.length <= maxBeforeThing;
      return (
        determiners.includes(first) &&
        (isOpen || others.slice(0, maxBeforeThing).some((word) => has(things, word)))
      );
    },
  };
}

/** A comma, the end of a sentence or of a line: the text up to there can be judged as a whole. */
const clauseEnd = /(?:[.!?…](?<isSentence>)|[:;,])["'”’)\]]*\s+|\n\s*(?<isLine>)/gu;

/** Nobody makes a claim that goes on this long without a comma. */
const longestClause = 200;
/** A claim may have begun this far back. */
const longestActionClaim = 600;
/** The end of a sentence may have come with the words before: a sign and its quotes. */
const maxClosing = 8;

interface ActionClaimGateOptions {
  actionClaims: ActionClaims;
  /** Something was looked up in this turn. */
  isInformed: boolean;
  /** Every clause waits until it is whole, not only those that begin like a claim: a model with tools could have acted. */
  isStrict: boolean;
  say: (words: string) => void;
}

/**
 * Lets a model's words through until they claim that something was done: that clause and all behind it are withheld, because the
 * tools tell themselves what they did.
 */
export function createActionClaimGate({ actionClaims, isInformed, isStrict, say }: ActionClaimGateOptions) {
  let text = '';
  let said = 0;
  let clauseFrom = 0;
  let sentenceFrom = 0;
  let isWithheld = false;

  const letThrough = (end: number) => {
    if (isWithheld || end <= said) return;
    isWithheld = actionClaims.isActionClaim(
      text.slice(Math.max(sentenceFrom, end - longestActionClaim), end),
      isInformed,
    );
    if (isWithheld) return;
    say(text.slice(said, end));
    said = end;
  };

  const passClauses = (from: number) => {
    clauseEnd.lastIndex = Math.max(clauseFrom, from - maxClosing);
    for (let found = clauseEnd.exec(text); found && !isWithheld; found = clauseEnd.exec(text)) {
      clauseFrom = found.index + found[0].length;
      if (isExclamation(text.slice(said, clauseFrom))) continue;
      letThrough(clauseFrom);
      const isEnd = found.groups?.['isSentence'] ?? found.groups?.['isLine'];
      if (isEnd !== undefined) sentenceFrom = clauseFrom;
    }
  };

  return {
    push(words: string): void {
      const before = text.length;
      text += words;
      if (isWithheld) return;
      passClauses(before);
      const clause = text.slice(clauseFrom);
      // An exclamation that has waited may belong to what follows it.
      const begun = said < clauseFrom ? [text.slice(said), clause] : [clause];
      const mustWait = clause.trim() === '' || isStrict || begun.some(actionClaims.mayBecome);
      if (!mustWait || clause.length > longestClause) letThrough(text.length);
      if (clause.length > longestClause) clauseFrom = text.length;
    },
    /** The text is whole. Returns what was let through, and whether something was withheld. */
    end(): { said: string; isWithheld: boolean } {
      letThrough(text.length);
      return { said: text.slice(0, said), isWithheld };
    },
  };
}

/** "Okay," alone says nothing, so the words after it are judged with it. */
function isExclamation(clause: string): boolean {
  return clause.trim().split(/\s+/u).length <= 2;
}
