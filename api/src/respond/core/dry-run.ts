import {
  type DryRunOutcome,
  type DryRunResponder,
  type Question,
  type Responder,
  WouldAct,
} from './responder.ts';

/** Runs `respond` until it would act. Null: the question is not for it. */
export async function dryRun(
  respond: Responder['respond'],
  question: Question,
): Promise<DryRunOutcome | null> {
  const stop = new WouldAct();
  try {
    const beginActing = () => Promise.reject(stop);
    const answer = await respond({ ...question, beginActing, say: () => undefined });
    return answer && { acts: false, text: answer.text };
  } catch (error) {
    if (error !== stop) throw error;
    return { acts: true, text: '' };
  }
}

/** Adds the dry run to a responder that awaits `beginActing()` immediately before it acts. */
export function withDryRun({ name, respond }: Responder): DryRunResponder {
  return { name, respond, dryRun: (question) => dryRun(respond, question) };
}
