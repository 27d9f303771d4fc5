import type { Pipeline } from '../../settings/pipeline.ts';
import { plainAnswer, type Responder } from '../responder.ts';
import type { HomeGrammar } from './home-grammar.ts';
import type { SayHome } from './home-reports.ts';

interface NotUnderstoodOptions {
  grammar: Pick<HomeGrammar, 'passing'>;
  reply: SayHome;
}

/** Whether the language model has tools, with which it may do what the rules do not understand. */
export type MayAct = (settings: Pipeline) => boolean;

/**
 * Says of a plain command to the house that nobody understood it. It stands behind all that may. A language model without tools could only make up
 * that it was done.
 */
export function createNotUnderstood({ grammar, reply }: NotUnderstoodOptions) {
  return (mayAct: MayAct): Responder => ({
    name: 'home',
    async respond({ turn, settings, say }) {
      // Of doubtful words it is asked back what was said.
      if (!turn.isSure || mayAct(settings) || !grammar.passing.isCommand(turn.text)) return null;
      const text = reply('not_a_command', {}, turn);
      say(text);
      return { ...plainAnswer(text), kept: { assistant: text, isAside: true } };
    },
  });
}
