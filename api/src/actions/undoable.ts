import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { actionSchema, actionsKey, turnOfAction } from './action-store.ts';

const kindSchema = actionSchema.extend({ kind: z.string() });

/**
 * Returns whether a turn has not acted, or all its actions are of these kinds and none is undone yet. An
 * action without a record cannot be undone.
 */
export function createCanBeUndone({ redis, kinds }: { redis: Redis; kinds: ReadonlySet<string> }) {
  return async ({ turnId, conversation }: { turnId: string; conversation: string }): Promise<boolean> => {
    const [mayHaveActed, records] = await onRedis(redis, () =>
      Promise.all([
        redis.hexists(keys.turn.of(turnId), 'acts'),
        redis.lrange(actionsKey(conversation), 0, -1),
      ]),
    );
    if (!mayHaveActed) return true;
    const own = records
      .map((record) => kindSchema.safeParse(parseJson(record)).data)
      .filter((action) => action !== undefined && turnOfAction(action) === turnId);
    return own.length > 0 && own.every((each) => each?.undoneBy === undefined && kinds.has(each?.kind ?? ''));
  };
}

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
