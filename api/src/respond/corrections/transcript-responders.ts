import type { Say } from '../../language/phrases.ts';
import { plainAnswer, type Responder } from '../core/responder.ts';
import type { Doubts } from './doubts.ts';

/** These answer by fixed rules, as the skills do. */
const name = 'skills';

/** Answers a recording without speech. The conversation stores nothing of it. */
export function createSilenceResponder(say: Say): Responder {
  return {
    name,
    async respond({ turn }) {
      if (turn.text !== '') return null;
      return { ...plainAnswer(say('not_caught', {}, turn.id)), isUnkept: true };
    },
  };
}

/**
 * Asks back when the words are doubtful. It comes after the skills, because a complete sentence of theirs is
 * no accident, and before all other responders.
 */
export function createAskBackResponder(say: Say, doubts: Pick<Doubts, 'note'>): Responder {
  return {
    name,
    async respond({ turn }) {
      if (turn.isSure) return null;
      await doubts.note(turn);
      return plainAnswer(say('did_you_say', { text: turn.text.replace(/[.!?]+$/, '') }, turn.id));
    },
  };
}
