import type { Redis } from 'ioredis';
import { onRedis } from '../turn/redis.ts';

/** So long "it" and "the bedroom too" mean what was commanded last. */
const keepS = 120;

export type LastCommand = ReturnType<typeof createLastCommand>;

/** The last command to the house in each conversation, as it would be said of another room. */
export function createLastCommand({ redis }: { redis: Redis }) {
  const keyOf = (conversation: string) => `hearth:conversation:${conversation}:home`;
  return {
    async note(conversation: string | null, elsewhere: string): Promise<void> {
      if (conversation === null) return;
      await onRedis(redis, () => redis.set(keyOf(conversation), elsewhere, 'EX', keepS));
    },
    /** Null: there was none of late. '': it cannot be said of another room. */
    async read(conversation: string | null): Promise<string | null> {
      return conversation === null ? null : await onRedis(redis, () => redis.get(keyOf(conversation)));
    },
  };
}
