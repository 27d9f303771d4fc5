import type { ReplySoFar } from '../llm/reply-so-far.ts';
import type { Tool, ToolOutcome } from './tool.ts';

/** The result of a call. `mistaken`: it could not even be tried, and the model may yet mend it. */
export type CallOutcome = ToolOutcome | { state: 'mistaken'; error: string };

/** Keeps account of what the calls of one turn came to. It decides who tells it: the model tells what it looked up, our own sentences all else. */
export function createToolAccount(reply: Pick<ReplySoFar, 'speak'>) {
  /** Results that were looked up and not told yet. */
  const lookedUp: string[] = [];
  /** Names of the tools that were called by mistake, until a call of them succeeds. */
  const mistakes = new Set<string>();
  const seen = { result: false, words: false, own: false, foreign: false, lookup: false, question: false };

  /** Says a sentence of our own, and before it all that was looked up: the model says nothing any more. */
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

    /** Words of others have been read. */
    get hasReadWords(): boolean {
      return seen.words;
    },
    /** What the household keeps to itself has been read: a list, the timers. */
    get hasReadOwn(): boolean {
      return seen.own;
    },
    /** Something was looked up. */
    get isInformed(): boolean {
      return seen.lookup;
    },
    /** A mistake was not mended. */
    get isMistaken(): boolean {
      return mistakes.size > 0;
    },
    /** Something was done, or failed, and that has been said. */
    get hasTold(): boolean {
      return seen.result;
    },
    /** The person is asked something. */
    get asks(): boolean {
      return seen.question;
    },
    /** The conversation may keep the calls: none has words from outside the house, and none waits for a yes. */
    get mayBeKept(): boolean {
      return !seen.foreign && !seen.question;
    },
  };
}
