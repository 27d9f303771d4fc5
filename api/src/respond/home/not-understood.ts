import type { Pipeline } from '../../settings/pipeline.ts';
import { aside, plainAnswer, type Responder } from '../core/responder.ts';
import type { SayHome } from './home-reports.ts';
import type { HomeGrammar } from './understand/home-grammar.ts';

interface NotUnderstoodOptions {
  grammar: Pick<HomeGrammar, 'passing'>;
  reply: SayHome;
}

/** Whether the language model has tools for sentences that the rules do not understand. */
export type MayAct = (settings: Pipeline) => boolean;

/**
 * Replies that a plain command to the house was not understood. It comes last. A model without tools could
 * only pretend to have done it.
 */
export function createNotUnderstood({ grammar, reply }: NotUnderstoodOptions) {
  return (mayAct: MayAct): Responder => ({
    name: 'home',
    async respond({ turn, settings, say }) {
      // Another responder asks back about doubtful words.
      if (!turn.isSure || mayAct(settings) || !grammar.passing.isCommand(turn.text)) return null;
      const text = reply('not_a_command', {}, turn);
      say(text);
      return plainAnswer(text, aside(text));
    },
  });
}
