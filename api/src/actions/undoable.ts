import type { Redis } from 'ioredis';
import { parseJson } from '../json.ts';
import { onRedis } from '../redis/redis.ts';
import { actionSchema, actionsKey, turnOfAction } from './action-store.ts';

/** Finds the turn that "undo that" would take back in a conversation; null: there is none. */
export function createUndoable({ redis }: { redis: Redis }) {
  return async (conversation: string): Promise<string | null> => {
    const records = await onRedis(redis, () => redis.lrange(actionsKey(conversation), 0, -1));
    for (const record of records) {
      const action = actionSchema.safeParse(parseJson(record)).data;
      // It cannot be read, but it was done last: "undo that" does not mean the one before it.
      if (action === undefined) return null;
      if (action.undoneBy === undefined) return turnOfAction(action);
    }
    return null;
  };
}
