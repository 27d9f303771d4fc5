import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { conversationKeys } from '../turn/conversation-store.ts';
import type { Turn } from '../turn/turn.ts';

const maxActions = 20;

/** The fields of every action. Its kind adds the thing it was done to and the changes: see `respond/household-actions.ts`. */
export const actionSchema = z.object({
  /** The turn that did it. */
  turn: z.string(),
  /** Unix time in ms. */
  at: z.number(),
  /** When it was taken back, as Unix time in ms, and by which turn. */
  undoneAt: z.number().optional(),
  undoneBy: z.string().optional(),
});

export type AnyAction = z.infer<typeof actionSchema>;

/** An action that is going to be noted: nobody has taken it back. */
export type NewAction<A extends AnyAction> = A extends AnyAction ? Omit<A, 'undoneAt' | 'undoneBy'> : never;

/**
 * Lua for scripts that do something, to be put in front of theirs. A turn acts once, however often its job runs: a script first returns
 * `acted(key)` if there is one, and ends with `act`, which notes the result for that and the action for its undoing; an action of '' changed
 * nothing. What changed is known only to the script: `with` adds it to the action, as fields in JSON. A script that undoes an action first
 * marks it with `undo`, and does nothing unless that says "now": "again" is the same turn for the second time.
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
 * A turn that may do several things gives each an id of its own, made from what is done: the same thing again is the same action, and is
 * not done twice.
 */
export function actionId(turnId: string, what: string): string {
  return `${turnId}/${createHash('sha256').update(what).digest('hex').slice(0, 16)}`;
}

/** The turn that an action belongs to: of several that it did, each has an id of its own. */
export function turnOfAction({ turn }: Pick<AnyAction, 'turn'>): string {
  return turn.split('/')[0] ?? turn;
}

/** Whether an action was done by this turn. */
export function isOfTurn({ turn }: Pick<AnyAction, 'turn'>, turnId: string): boolean {
  return turn === turnId || turn.startsWith(`${turnId}/`);
}

/** The result of a turn's action, by the turn's id. */
export function actedKey(turnId: string): string {
  return keys.acted.of(turnId);
}

/** The last actions of a conversation. A turn that stands alone has nobody who could ask for them. */
export function actionsKey(conversation: string | null): string {
  return conversation === null ? '' : conversationKeys(conversation).actions;
}

/** An action as it was found: how to find it again, and what it becomes when it is taken back. */
export interface Recorded<A extends AnyAction = AnyAction> {
  action: A;
  place: number;
  record: string;
  marked: string;
}

type Asking = Pick<Turn, 'id' | 'conversation' | 'createdAt'>;

interface ActionStoreOptions<A> {
  redis: Redis;
  /** Every kind of action. */
  schema: z.ZodType<A>;
}

export type ActionStore<A extends AnyAction> = ReturnType<typeof createActionStore<A>>;

/** The actions of a conversation, newest first. */
export function createActionStore<A extends AnyAction>({ redis, schema }: ActionStoreOptions<A>) {
  return {
    /** `turn` is the one that asks: it is who takes an action back. */
    async latest({ id, conversation, createdAt }: Asking): Promise<Recorded<A>[]> {
      if (conversation === null) return [];
      const records: string[] = await onRedis(redis, () => redis.lrange(actionsKey(conversation), 0, -1));
      const found: Recorded<A>[] = [];
      for (const [place, record] of records.entries()) {
        const action = schema.safeParse(parseJson(record)).data;
        // It cannot be read, but it was done last: "undo that" does not mean the one before it.
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

/** The marks stand last, so that one who marks it again writes the same record. */
function markedAs(action: AnyAction, marks: Pick<AnyAction, 'undoneAt' | 'undoneBy'>): string {
  const { undoneAt: _at, undoneBy: _by, ...standing } = action;
  return JSON.stringify({ ...standing, ...marks });
}
