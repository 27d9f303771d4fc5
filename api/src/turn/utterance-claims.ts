import { createHash } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { unsaved } from '../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    claimUtterance(key: string, owner: string, forMs: number): Result<string, Context>;
  }
}

/** KEYS: the claim. ARGV: who claims it, for how many ms. Returns whose it is. */
const claimScript = `${unsaved}return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX', 'GET') or ARGV[1]`;

/** Claims to words that were heard, across all api processes: the first satellite to hear them answers. */
export function createUtteranceClaims({ redis }: { redis: Redis }) {
  redis.defineCommand('claimUtterance', { numberOfKeys: 1, lua: claimScript });

  /** Claims it for `owner`. Returns its owner: this one, or another that claimed it within the last `forMs`. */
  return async (utterance: string, owner: string, forMs: number): Promise<string> => {
    // People's words have no place in the names of keys.
    const key = keys.utteranceClaims.of(createHash('sha256').update(utterance).digest('base64url'));
    return onRedis(redis, () => redis.claimUtterance(key, owner, forMs));
  };
}
