import { AppError } from '../errors.ts';
import type { Responder } from '../respond/responder.ts';
import type { Turn } from '../turn/turn.ts';
import type { AnswerTurn, StageSignals } from './answer-turn.ts';
import type { NextStages } from './chain.ts';

interface RespondJobOptions {
  answerTurn: AnswerTurn;
  /** Those who answer without the language model, in the order in which they are asked. */
  responders: readonly Responder[];
  /** Null: the language model is switched off. */
  next: Pick<NextStages, 'think'> | null;
}

/** The respond stage: whoever needs no language model answers at once; what nobody knows goes on to it. */
export function createRespondJob({ answerTurn, responders, next }: RespondJobOptions) {
  return async (turn: Turn, signals: StageSignals): Promise<void> => {
    if (await answerTurn(turn, responders, signals)) return;
    if (!next)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );
    await next.think(turn);
  };
}
