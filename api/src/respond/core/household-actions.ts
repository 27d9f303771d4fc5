import type { ActionStore, StoredAction } from '../../actions/action-store.ts';
import type { ListAction } from '../../lists/list-action.ts';
import type { StopwatchAction } from '../../timers/stopwatch.ts';
import type { TimerAction } from '../../timers/timer-action.ts';
import type { Ask, TextTurn } from './responder.ts';

/** The members of a union, by their kind. */
export type ByKind<Member extends { kind: string }> = { [Each in Member as Each['kind']]: Each };

/**
 * Every action that can be reported and undone, by its kind. The file with the schema of a kind adds the
 * kind here by declaration merging; `wiring/household-stores.ts` lists the schema.
 */
export interface ActionsByKind extends ByKind<ListAction>, ByKind<TimerAction>, ByKind<StopwatchAction> {}

export type Action = ActionsByKind[keyof ActionsByKind];

/** How to report and undo actions of one kind. */
export interface ActionKind<A extends Action> {
  /** Reports it: "I added milk to the shopping list." */
  tell(action: A, turn: TextTurn): string;
  /** Undoes it and says so. Null: another turn has undone it. */
  undo(found: StoredAction<A>, ask: Ask): Promise<string | null>;
}

/** Handlers by action kind; each knows its action's type. */
export type ActionKinds = { readonly [Kind in keyof ActionsByKind]?: ActionKind<ActionsByKind[Kind]> };

interface WithActions {
  actions?: ActionKinds;
}

/** The actions of a conversation, of all kinds, newest first. */
export type HouseholdActions = ActionStore<Action>;

/** Reports an action through the skill that performed it. Undefined: no skill handles it any more. */
export function tellOf(skills: readonly WithActions[], action: Action, turn: TextTurn): string | undefined {
  return describe(skills, { kind: action.kind, action, turn });
}

/** Undoes an action through the skill that performed it. Null: there is nothing to undo. */
export async function undoAction(
  skills: readonly WithActions[],
  found: StoredAction<Action>,
  ask: Ask,
): Promise<string | null> {
  return (await undone(skills, { kind: found.action.kind, found, ask })) ?? null;
}

/** Passes the kind separately here and below, so that the compiler sees that both types match. */
function describe<Kind extends keyof ActionsByKind>(
  skills: readonly WithActions[],
  { kind, action, turn }: { kind: Kind; action: ActionsByKind[Kind]; turn: TextTurn },
): string | undefined {
  return kindOf(skills, kind)?.tell(action, turn);
}

function undone<Kind extends keyof ActionsByKind>(
  skills: readonly WithActions[],
  { kind, found, ask }: { kind: Kind; found: StoredAction<ActionsByKind[Kind]>; ask: Ask },
): Promise<string | null> | undefined {
  return kindOf(skills, kind)?.undo(found, ask);
}

function kindOf<Kind extends keyof ActionsByKind>(skills: readonly WithActions[], kind: Kind) {
  return skills.map(({ actions }) => actions?.[kind]).find((known) => known !== undefined);
}
