import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createActionStore, type Recorded } from '../actions/action-store.ts';
import { listActionSchema } from '../lists/list-action.ts';
import { stopwatchActionSchema } from '../timers/stopwatch.ts';
import { timerActionSchema } from '../timers/timer-action.ts';
import { homeActionSchemas } from './home/home-records.ts';
import { calendarActionSchema } from './home-facts/calendar-records.ts';
import { asOfToday } from './old-actions.ts';
import type { AskedTurn } from './responder.ts';
import { announcementActionSchema } from './skills/announce/announce-asks.ts';
import type { Ask } from './skills/skill.ts';
import { speakerActionSchema } from './skills/speaker-skill.ts';
import { mcpActionSchema } from './tools/tool-records.ts';

/**
 * Every action that can be reported and undone. For a new kind, add a schema next to the code that does it,
 * and list it here.
 */
const actionSchema = z.preprocess(
  asOfToday,
  z.discriminatedUnion('kind', [
    listActionSchema,
    timerActionSchema,
    stopwatchActionSchema,
    speakerActionSchema,
    announcementActionSchema,
    ...homeActionSchemas,
    calendarActionSchema,
    mcpActionSchema,
  ]),
);

export type Action = z.infer<typeof actionSchema>;

type ByKind = { [Each in Action as Each['kind']]: Each };

/** How to report and undo actions of one kind. */
export interface ActionKind<A extends Action> {
  /** "I added milk to the shopping list." */
  tell(action: A, turn: AskedTurn): string;
  /** Undoes it and says so. Null: it was undone meanwhile. */
  undo(found: Recorded<A>, ask: Ask): Promise<string | null>;
}

/** Handlers by action kind; each knows its action's type. */
export type ActionKinds = { readonly [Kind in keyof ByKind]?: ActionKind<ByKind[Kind]> };

interface WithActions {
  actions?: ActionKinds;
}

export type HouseholdActions = ReturnType<typeof createHouseholdActions>;

/** The actions of a conversation, of all kinds, newest first. */
export function createHouseholdActions({ redis }: { redis: Redis }) {
  return createActionStore({ redis, schema: actionSchema });
}

/** Reports an action through the skill that did it. Undefined: no skill handles it any more. */
export function tellOf(skills: readonly WithActions[], action: Action, turn: AskedTurn): string | undefined {
  return told(skills, { kind: action.kind, action, turn });
}

/** Undoes an action through the skill that did it. Null: there is nothing to undo. */
export async function takeBack(
  skills: readonly WithActions[],
  found: Recorded<Action>,
  ask: Ask,
): Promise<string | null> {
  return (await undone(skills, { kind: found.action.kind, found, ask })) ?? null;
}

/** Passes the kind separately here and below, so that the compiler sees that both types match. */
function told<Kind extends keyof ByKind>(
  skills: readonly WithActions[],
  { kind, action, turn }: { kind: Kind; action: ByKind[Kind]; turn: AskedTurn },
): string | undefined {
  return kindOf(skills, kind)?.tell(action, turn);
}

function undone<Kind extends keyof ByKind>(
  skills: readonly WithActions[],
  { kind, found, ask }: { kind: Kind; found: Recorded<ByKind[Kind]>; ask: Ask },
): Promise<string | null> | undefined {
  return kindOf(skills, kind)?.undo(found, ask);
}

function kindOf<Kind extends keyof ByKind>(skills: readonly WithActions[], kind: Kind) {
  return skills.map(({ actions }) => actions?.[kind]).find((known) => known !== undefined);
}
