import { AppError } from '../errors.ts';
import type { Responder } from '../respond/core/responder.ts';
import type { Turn } from '../turn/turn.ts';
import type { OpenTurn, StageSignals } from './answer-turn.ts';
import type { NextStages } from './next-stages.ts';
import type { ThinkSlots } from './think-slot.ts';

/** The language model. */
interface Model {
  llm: Responder;
  slots: ThinkSlots;
  next: Pick<NextStages, 'think'>;
  /** Why waiting for it would be pointless. Undefined: it is available. */
  away: () => unknown;
  /** Called when it has answered here, with the duration in ms. */
  onThought: (turn: Turn, ms: number) => void;
}

interface RespondJobOptions {
  openTurn: OpenTurn;
  /** The responders without a language model, in the order of `respond/core/responder-order.ts`. */
  responders: (turn: Turn) => Promise<readonly Responder[]>;
  /** Null: it is switched off. */
  model: Model | null;
}

/**
 * The respond stage: responders without a language model answer at once. Other questions go to the model. It
 * answers in this job if a slot is free and its queue is empty. Otherwise the question joins that queue.
 */
export function createRespondJob({ openTurn, responders, model }: RespondJobOptions) {
  return async (turn: Turn, signals: StageSignals): Promise<void> => {
    const answer = await openTurn(turn, signals);
    // Rules cannot produce data, see pictures or continue an answer.
    const isForModel =
      turn.answerFormat !== undefined || turn.modelOnly !== undefined || turn.pictures === 'now';
    if (!isForModel && (await answer(await responders(turn)))) return;
    if (!model)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );
    const away = model.away();
    if (away) throw away;
    const slot = await model.slots.take(turn);
    if (slot === null) return model.next.think(turn);
    const begunAt = performance.now();
    try {
      if (!(await answer([model.llm]))) throw new AppError('llm_unavailable');
      model.onThought(turn, Math.round(performance.now() - begunAt));
    } finally {
      slot.release();
    }
  };
}
