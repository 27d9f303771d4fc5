import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

/** Claims to words that were heard, across all api processes: the first satellite to hear them answers. */
export function createUtteranceClaims({ redis }: { redis: Redis }) {
  /** Claims it for `owner`. Returns its owner: this one, or another that claimed it within the last `forMs`. */
  return async (utterance: string, owner: string, forMs: number): Promise<string> => {
    // People's words have no place in the names of keys.
    const key = keys.utteranceClaims.of(createHash('sha256').update(utterance).digest('base64url'));
    const before = await onRedis(redis, () => redis.set(key, owner, 'PX', forMs, 'NX', 'GET'));
    return before ?? owner;
  };
}
