import type { Question, Responder } from '../responder.ts';

/** What becomes of a request if it is carried out. */
export interface Foreseen {
  /** It would do something: what can be known before was in order. */
  acts: boolean;
  /** The answer of one that does nothing. */
  text: string;
}

class WouldAct extends Error {}

/**
 * Asks a responder without letting it act. Whoever acts waits until the turn is certain, immediately before: here that never comes. Null: the
 * request is not for this responder.
 */
export async function foresee({ respond }: Responder, question: Question): Promise<Foreseen | null> {
  const stop = new WouldAct();
  try {
    const certain = () => Promise.reject(stop);
    const answer = await respond({ ...question, certain, say: () => undefined });
    return answer && { acts: false, text: answer.text };
  } catch (error) {
    if (error !== stop) throw error;
    return { acts: true, text: '' };
  }
}
