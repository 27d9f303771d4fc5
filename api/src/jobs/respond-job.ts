import { AppError } from '../errors.ts';
import type { Responder } from '../respond/responder.ts';
import type { Turn } from '../turn/turn.ts';
import type { AnswerTurn, StageSignals } from './answer-turn.ts';
import type { NextStages } from './chain.ts';

interface RespondJobOptions {
  answerTurn: AnswerTurn;
  /** The responders that need no language model, in the order in which they are asked. */
  responders: readonly Responder[];
  /** Null: the language model is switched off. */
  next: Pick<NextStages, 'think'> | null;
  /** Why the language model would only be waited for in vain; undefined: it may be asked. */
  modelAway: () => unknown;
}

/** The respond stage: responders that need no language model answer at once. A question that none of them can answer goes on to the model. */
export function createRespondJob({ answerTurn, responders, next, modelAway }: RespondJobOptions) {
  return async (turn: Turn, signals: StageSignals): Promise<void> => {
    // No rule writes data.
    if (turn.answerFormat === undefined && (await answerTurn(turn, responders, signals))) return;
    if (!next)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );
    const away = modelAway();
    if (away) throw away;
    await next.think(turn);
  };
}
