import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { conversationKeys } from '../conversations/conversation-store.ts';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { Turn } from '../turn/turn.ts';

const maxActions = 20;

/** Fields of every action. Each kind adds its target and the changes: see `wiring/household-stores.ts`. */
export const actionSchema = z.object({
  /** The turn that made it. */
  turn: z.string(),
  /** Unix time in ms. */
  at: z.number(),
  /** Unix time in ms of its undo, and the turn that undid it. */
  undoneAt: z.number().optional(),
  undoneBy: z.string().optional(),
});

export type AnyAction = z.infer<typeof actionSchema>;

/** An action before it is recorded. */
export type NewAction<A extends AnyAction> = A extends AnyAction ? Omit<A, 'undoneAt' | 'undoneBy'> : never;

/**
 * Lua to prepend to scripts that act. A turn acts once, however often its job runs. The script first returns
 * `acted(key)` if that exists. It ends with `act`, which stores the result and the action for undo; an action
 * of '' changed nothing. Only the script knows the changes, so `with` adds them to the action as JSON fields.
 * A script that undoes an action first calls `undo`, and continues only on "now". "again": the same turn runs
 * twice.
 */
export const actLua = `
local function acted(key) return redis.call('GET', key) end
local function with(action, fields) return string.sub(action, 1, -2) .. ',' .. fields .. '}' end
local function act(actedKey, actionsKey, result, action)
  redis.call('SET', actedKey, result, 'EX', ${keys.acted.lastsS})
  if actionsKey ~= '' and action ~= '' then
    redis.call('LPUSH', actionsKey, action)
    redis.call('LTRIM', actionsKey, 0, ${maxActions - 1})
    redis.call('EXPIRE', actionsKey, ${keys.actions.lastsS})
  end
  return result
end
local function undo(actionsKey, place, record, marked)
  if redis.call('LINDEX', actionsKey, place) ~= record then return 'changed' end
  if record == marked then return 'again' end
  redis.call('LSET', actionsKey, place, marked)
  return 'now'
end
`;

/**
 * Id of one of several actions of a turn. It derives from the content, so that a repeated action does not run
 * twice.
 */
export function actionId(turnId: string, what: string): string {
  return `${turnId}/${createHash('sha256').update(what).digest('hex').slice(0, 16)}`;
}

/** The turn of an action, without the suffix of one of several actions. */
export function turnOfAction({ turn }: Pick<AnyAction, 'turn'>): string {
  return turn.split('/')[0] ?? turn;
}

/** Whether this turn made the action. */
export function isOfTurn({ turn }: Pick<AnyAction, 'turn'>, turnId: string): boolean {
  return turn === turnId || turn.startsWith(`${turnId}/`);
}

/** Key of the result of a turn's action. */
export function actedKey(turnId: string): string {
  return keys.acted.of(turnId);
}

/** Key of a conversation's last actions. '' without a conversation, because they could never be undone. */
export function actionsKey(conversation: string | null): string {
  return conversation === null ? '' : conversationKeys(conversation).actions;
}

/** A stored action: its position, its record, and its record when marked as undone. */
export interface StoredAction<A extends AnyAction = AnyAction> {
  action: A;
  place: number;
  record: string;
  marked: string;
}

type Asking = Pick<Turn, 'id' | 'conversation' | 'createdAt'>;

interface ActionStoreOptions<A> {
  redis: Redis;
  /** The schema of all kinds of actions. */
  schema: z.ZodType<A>;
}

export type ActionStore<A extends AnyAction> = ReturnType<typeof createActionStore<A>>;

/** Reads the actions of a conversation, newest first. */
export function createActionStore<A extends AnyAction>({ redis, schema }: ActionStoreOptions<A>) {
  return {
    /** The turn is the one that will be recorded as undoing an action. */
    async latest({ id, conversation, createdAt }: Asking): Promise<StoredAction<A>[]> {
      if (conversation === null) return [];
      const records: string[] = await onRedis(redis, () => redis.lrange(actionsKey(conversation), 0, -1));
      const found: StoredAction<A>[] = [];
      for (const [place, record] of records.entries()) {
        const action = schema.safeParse(parseJson(record)).data;
        // An unreadable action was the last one, so "undo that" must not skip it.
        if (action === undefined) break;
        found.push({
          action,
          place,
          record,
          marked: markedAs(action, { undoneAt: createdAt, undoneBy: id }),
        });
      }
      return found;
    },
  };
}

/** The marks come last, so that marking again produces the same record. */
function markedAs(action: AnyAction, marks: Pick<AnyAction, 'undoneAt' | 'undoneBy'>): string {
  const { undoneAt: _at, undoneBy: _by, ...standing } = action;
  return JSON.stringify({ ...standing, ...marks });
}
