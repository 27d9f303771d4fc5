import type { PredictableResponder, PredictedOutcome, Question, Responder } from './responder.ts';

class WouldAct extends Error {}

/** Runs `respond` until it would act. Null: the question is not for it. */
export async function predict(
  respond: Responder['respond'],
  question: Question,
): Promise<PredictedOutcome | null> {
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

/** Declares that a responder awaits `certain()` immediately before it acts, so a dry run can stop there. */
export function predictable({ name, respond }: Responder): PredictableResponder {
  return { name, respond, predict: (question) => predict(respond, question) };
}
