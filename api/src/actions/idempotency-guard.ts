import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

export type IdempotencyGuard = ReturnType<typeof createIdempotencyGuard>;

/** Guards actions outside Redis whose outcome cannot be verified: each begins at most once. */
export function createIdempotencyGuard({ redis }: { redis: Redis }) {
  /** True for the first caller. Others cannot know how far it came. */
  return async (actionId: string): Promise<boolean> => {
    const key = keys.begun.of(actionId);
    return (await onRedis(redis, () => redis.set(key, '1', 'EX', keys.begun.lastsS, 'NX'))) === 'OK';
  };
}
