import type { Redis } from 'ioredis';
import { parseJson } from '../json.ts';
import { onRedis } from '../redis/redis.ts';
import { actionSchema, actionsKey, turnOfAction } from './action-store.ts';

/** Returns the turn that "undo that" would undo in a conversation. Null: there is none. */
export function createUndoable({ redis }: { redis: Redis }) {
  return async (conversation: string): Promise<string | null> => {
    const records = await onRedis(redis, () => redis.lrange(actionsKey(conversation), 0, -1));
    for (const record of records) {
      const action = actionSchema.safeParse(parseJson(record)).data;
      // An unreadable action was the last one, so "undo that" must not skip it.
      if (action === undefined) return null;
      if (action.undoneBy === undefined) return turnOfAction(action);
    }
    return null;
  };
}
