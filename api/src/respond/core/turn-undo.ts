import { isOfTurn } from '../../actions/action-store.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import { type HouseholdActions, undoAction } from './household-actions.ts';
import type { TextTurn } from './responder.ts';
import type { Skill } from './skill.ts';

interface TurnUndoOptions {
  actions: HouseholdActions;
  skills: readonly Skill[];
  settings: () => Pipeline;
}

/** Silently undoes a turn's actions, because the person continued and wanted something else. */
export function createTurnUndo({ actions, skills, settings }: TurnUndoOptions) {
  return async (turn: TextTurn, signal: AbortSignal): Promise<void> => {
    const ask = {
      turn,
      settings: settings(),
      signal,
      exchanges: [],
      untilConfirmed: async () => undefined,
      beginActing: async () => undefined,
    };
    for (const found of await actions.latest(turn)) {
      const { action } = found;
      if (isOfTurn(action, turn.id) && action.undoneBy === undefined) await undoAction(skills, found, ask);
    }
  };
}
