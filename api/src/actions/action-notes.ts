import type { Redis, Result } from 'ioredis';
import { onRedis } from '../redis/redis.ts';
import {
  type AnyAction,
  actedKey,
  actionsKey,
  actLua,
  type NewAction,
  type StoredAction,
} from './action-store.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    noteAction(acted: string, actions: string, action: string): Result<string, Context>;
    markUndone(actions: string, place: number, record: string, marked: string): Result<string, Context>;
  }
}

/** KEYS: acted, actions. ARGV: action. */
const noteScript = `${actLua}
local done = acted(KEYS[1])
if done then return done end
return act(KEYS[1], KEYS[2], 'done', ARGV[1])`;

/** KEYS: actions. ARGV: place, record, marked record. */
const markScript = `${actLua}
return undo(KEYS[1], ARGV[1], ARGV[2], ARGV[3])`;

export type ActionNotes<A extends AnyAction> = ReturnType<typeof createActionNotes<A>>;

/** Records actions outside Redis, which no script can run and record atomically. */
export function createActionNotes<A extends AnyAction>({ redis }: { redis: Redis }) {
  redis.defineCommand('noteAction', { numberOfKeys: 2, lua: noteScript });
  redis.defineCommand('markUndone', { numberOfKeys: 1, lua: markScript });

  return {
    /** Records an action once. Without a conversation it could never be undone, so it is skipped. */
    async note(action: NewAction<A>, conversation: string | null): Promise<void> {
      if (conversation === null) return;
      const key = actedKey(action.turn);
      await onRedis(redis, () => redis.noteAction(key, actionsKey(conversation), JSON.stringify(action)));
    },

    /** Marks an action as undone before the undo runs. False: it was undone already. */
    async mark({ place, record, marked }: StoredAction, conversation: string | null): Promise<boolean> {
      const key = actionsKey(conversation);
      const state = await onRedis(redis, () => redis.markUndone(key, place, record, marked));
      return state !== 'changed';
    },

    /** Removes the mark after a failed undo. */
    async unmark({ place, record, marked }: StoredAction, conversation: string | null): Promise<void> {
      const key = actionsKey(conversation);
      await onRedis(redis, () => redis.markUndone(key, place, marked, record));
    },
  };
}
