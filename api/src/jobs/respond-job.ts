import { AppError } from '../errors.ts';
import type { Responder } from '../respond/responder.ts';
import type { Turn } from '../turn/turn.ts';
import type { OpenTurn, StageSignals } from './answer-turn.ts';
import type { NextStages } from './chain.ts';
import type { ThinkPlaces } from './think-place.ts';

/** The language model. */
export interface Model {
  llm: Responder;
  places: ThinkPlaces;
  next: Pick<NextStages, 'think'>;
  /** Why it would only be waited for in vain; undefined: it may be asked. */
  away: () => unknown;
  /** It has answered here, after so many ms. */
  onThought: (turn: Turn, ms: number) => void;
}

interface RespondJobOptions {
  openTurn: OpenTurn;
  /** The responders that need no language model, in the order in which they are asked. */
  responders: () => Promise<readonly Responder[]>;
  /** Null: it is switched off. */
  model: Model | null;
}

/**
 * The respond stage: responders that need no language model answer at once. With a question that none of them can answer it goes on to the
 * model: here, if that has room and nobody waits for it, and otherwise by its queue.
 */
export function createRespondJob({ openTurn, responders, model }: RespondJobOptions) {
  return async (turn: Turn, signals: StageSignals): Promise<void> => {
    const answer = await openTurn(turn, signals);
    // No rule writes data, sees, or goes on with an answer.
    const isForModel =
      turn.answerFormat !== undefined || turn.modelOnly !== undefined || turn.pictures === 'now';
    if (!isForModel && (await answer(await responders()))) return;
    if (!model)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );
    const away = model.away();
    if (away) throw away;
    const place = await model.places.take(turn);
    if (place === null) return model.next.think(turn);
    const begunAt = performance.now();
    try {
      if (!(await answer([model.llm]))) throw new AppError('llm_unavailable');
      model.onThought(turn, Math.round(performance.now() - begunAt));
    } finally {
      place.leave();
    }
  };
}
