import type { Question, Responder } from './responder.ts';

/** The predicted outcome of a request. */
export interface Foreseen {
  /** It would act: all checks so far passed. */
  acts: boolean;
  /** The answer of a request that does not act. */
  text: string;
}

class WouldAct extends Error {}

/**
 * Asks a responder without letting it act. A responder waits for a certain turn right before it acts, and
 * here that never comes. Null: the request is not for this responder.
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
