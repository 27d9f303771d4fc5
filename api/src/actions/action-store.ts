import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { conversationKeys } from '../turn/conversation-store.ts';
import type { Turn } from '../turn/turn.ts';

const mostActions = 20;

const actionSchema = z.object({
  /** The turn that did it. */
  turn: z.string(),
  /** Unix time in ms. */
  at: z.number(),
  /** Who knows how to tell of it and to take it back: `list.add`. */
  kind: z.string(),
  /** What it was done to, as its kind needs it. */
  about: z.record(z.string(), z.string()),
  /** What changed, as its kind needs it to take it back. */
  values: z.array(z.string()),
  /** When it was taken back, as Unix time in ms, and by which turn. */
  undoneAt: z.number().optional(),
  undoneBy: z.string().optional(),
});

export type Action = z.infer<typeof actionSchema>;

/** What a turn is going to do; what changes is known only when it is done. */
export type NewAction = Pick<Action, 'turn' | 'at' | 'kind' | 'about'>;

/**
 * Lua for scripts that do something, to be put in front of theirs. A turn acts once, however often its job runs: a script first returns
 * `acted(key)` if there is one, and ends with `act`, which notes the result for that and the action for its undoing. A script that undoes
 * an action first marks it with `undo`, and does nothing unless that says "now": "again" is the same turn for the second time.
 */
export const actLua = `
local function acted(key) return redis.call('GET', key) end
local function act(actedKey, actionsKey, result, action, values)
  redis.call('SET', actedKey, result, 'EX', ${keys.acted.lastsS})
  if actionsKey ~= '' and #values > 0 then
    local record = string.sub(action, 1, -2) .. ',"values":' .. cjson.encode(values) .. '}'
    redis.call('LPUSH', actionsKey, record)
    redis.call('LTRIM', actionsKey, 0, ${mostActions - 1})
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

/** Whether an action was done by this turn. */
export function isOfTurn({ turn }: Pick<Action, 'turn'>, turnId: string): boolean {
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
export interface Recorded {
  action: Action;
  place: number;
  record: string;
  marked: string;
}

type Asking = Pick<Turn, 'id' | 'conversation' | 'createdAt'>;

export type ActionStore = ReturnType<typeof createActionStore>;

/** What was done in a conversation, newest first. */
export function createActionStore({ redis }: { redis: Redis }) {
  return {
    /** `turn` is the one that asks: it is who takes an action back. */
    async latest({ id, conversation, createdAt }: Asking): Promise<Recorded[]> {
      if (conversation === null) return [];
      const records: string[] = await onRedis(redis, () => redis.lrange(actionsKey(conversation), 0, -1));
      return records.map((record, place) => {
        const action = actionSchema.parse(JSON.parse(record));
        return {
          action,
          place,
          record,
          marked: JSON.stringify({ ...action, undoneAt: createdAt, undoneBy: id }),
        };
      });
    },
  };
}
