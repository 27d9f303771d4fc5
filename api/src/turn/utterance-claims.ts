import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

/** Who heard something first, for all api processes. */
export function createUtteranceClaims({ redis }: { redis: Redis }) {
  /** Claims it for `owner`. Returns who has it: `owner`, or whoever claimed it within the last `forMs`. */
  return async (utterance: string, owner: string, forMs: number): Promise<string> => {
    // What people say need not be read in the names of keys.
    const key = keys.utteranceClaims.of(createHash('sha256').update(utterance).digest('base64url'));
    const before = await onRedis(redis, () => redis.set(key, owner, 'PX', forMs, 'NX', 'GET'));
    return before ?? owner;
  };
}
