import type { ReplySoFar } from './reply-so-far.ts';
import type { Tool, ToolOutcome } from './tool.ts';

/** The result of a call. `mistaken`: it could not be tried, and the model may still correct it. */
export type CallOutcome = ToolOutcome | { state: 'mistaken'; error: string };

/**
 * Tracks the results of one turn's calls. It decides who reports them: the model reports lookups, our own
 * sentences everything else.
 */
export function createToolAccount(reply: Pick<ReplySoFar, 'speak'>) {
  /** Lookup results that the reply has not reported yet. */
  const lookedUp: string[] = [];
  /** Tools called by mistake, until a call of them succeeds. */
  const mistakes = new Set<string>();
  const seen = { result: false, words: false, own: false, foreign: false, lookup: false, question: false };

  /** Speaks one of our sentences, preceded by all lookups. The model then says nothing more. */
  const tell = (sentence: string) => {
    seen.result = true;
    for (const found of [...lookedUp.splice(0), sentence]) if (found !== '') reply.speak(found);
  };

  const addDone = (tool: Tool, said: string) => {
    mistakes.delete(tool.spec.name);
    if (tool.bringsWords) seen.words = true;
    if (tool.isForeign) seen.foreign = true;
    else if (tool.bringsWords) seen.own = true;
    if (tool.effect === 'act') return tell(said);
    seen.lookup = true;
    lookedUp.push(said);
  };

  return {
    tell,

    add(name: string, tool: Tool | undefined, outcome: CallOutcome): void {
      if (outcome.state === 'mistaken') {
        mistakes.add(name);
        return;
      }
      if (outcome.state === 'asks') seen.question = true;
      if (outcome.state === 'done' && tool) addDone(tool, outcome.said);
      else if (outcome.said !== '') tell(outcome.said);
    },

    /** The turn has read outside text. */
    get hasReadWords(): boolean {
      return seen.words;
    },
    /** The turn has read private data: a list, the timers. */
    get hasReadOwn(): boolean {
      return seen.own;
    },
    /** A tool looked something up. */
    get isInformed(): boolean {
      return seen.lookup;
    },
    /** The model has not corrected a mistake. */
    get isMistaken(): boolean {
      return mistakes.size > 0;
    },
    /** An action or failure was reported. */
    get hasTold(): boolean {
      return seen.result;
    },
    /** The reply asks the person something. */
    get asks(): boolean {
      return seen.question;
    },
    /** The conversation may store the calls: none has outside text, and none waits for a yes. */
    get mayBeKept(): boolean {
      return !seen.foreign && !seen.question;
    },
  };
}
