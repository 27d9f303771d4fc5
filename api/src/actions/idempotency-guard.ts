import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

export type IdempotencyGuard = ReturnType<typeof createIdempotencyGuard>;

/** For what is done outside of Redis, where nobody can tell afterwards whether it was done: it is begun once at most. */
export function createIdempotencyGuard({ redis }: { redis: Redis }) {
  /** True for the first who asks. The others cannot know how far that one came. */
  return async (actionId: string): Promise<boolean> => {
    const key = keys.begun.of(actionId);
    return (await onRedis(redis, () => redis.set(key, '1', 'EX', keys.begun.lastsS, 'NX'))) === 'OK';
  };
}
