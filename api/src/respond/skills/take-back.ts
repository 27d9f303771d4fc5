import { type ActionStore, isOfTurn } from '../../actions/action-store.ts';
import type { AskedTurn } from '../responder.ts';
import type { ActionKind, Skill } from './skill.ts';

interface TakeBackOptions {
  actions: ActionStore;
  skills: readonly Skill[];
}

/** How each kind of action is told of and taken back, by its name. */
export function actionKinds(skills: readonly Skill[]): ReadonlyMap<string, ActionKind> {
  return new Map(skills.flatMap(({ actions = {} }) => Object.entries(actions)));
}

/** Takes back what a turn has done: the person went on speaking, and wanted something else. Nothing is said of it. */
export function createTakeBack({ actions, skills }: TakeBackOptions) {
  const kinds = actionKinds(skills);

  return async (turn: AskedTurn, signal: AbortSignal): Promise<void> => {
    const ask = {
      turn,
      signal,
      exchanges: [],
      words: () => [],
      said: () => '',
      certain: async () => undefined,
    };
    for (const found of await actions.latest(turn)) {
      const { action } = found;
      if (isOfTurn(action, turn.id) && action.undoneBy === undefined)
        await kinds.get(action.kind)?.undo(found, ask);
    }
  };
}
