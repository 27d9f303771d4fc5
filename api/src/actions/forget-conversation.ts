import type { Redis, Result } from 'ioredis';
import { conversationKeys } from '../conversations/conversation-store.ts';
import type { Erase } from '../conversations/erasure.ts';
import { onRedis } from '../redis/redis.ts';
import { actedKey, actionsKey, actLua } from './action-store.ts';
import { lastCommandKey } from './last-command.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    forgetConversation(
      exchanges: string,
      meta: string,
      acted: string,
      actions: string,
      home: string,
    ): Result<string, Context>;
  }
}

/**
 * KEYS: exchanges, meta, acted, actions, last home command. Keeps the exchange count and moves `promptFrom`
 * past the deleted exchanges. A turn that is just ending must not bring them back.
 */
const forgetScript = `${actLua}
local done = acted(KEYS[3])
if done then return done end
redis.call('DEL', KEYS[1], KEYS[4], KEYS[5])
local count = redis.call('HGET', KEYS[2], 'count')
if count then redis.call('HSET', KEYS[2], 'promptFrom', count) end
return act(KEYS[3], '', 'forgotten', '')`;

export type Forget = ReturnType<typeof createForget>;

/** Deletes a conversation: its words and its actions. */
export function createForget({ redis, erase }: { redis: Redis; erase: Erase }) {
  redis.defineCommand('forgetConversation', { numberOfKeys: 5, lua: forgetScript });

  return async (conversation: string, turnId: string): Promise<void> => {
    const { exchanges, meta } = conversationKeys(conversation);
    const [acted, actions] = [actedKey(turnId), actionsKey(conversation)];
    const home = lastCommandKey(conversation);
    await onRedis(redis, () => redis.forgetConversation(exchanges, meta, acted, actions, home));
    await erase({ conversation });
  };
}
