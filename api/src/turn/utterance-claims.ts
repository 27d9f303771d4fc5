import { createHash } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { unsaved } from '../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    claimUtterance(key: string, owner: string, forMs: number, agoMs: number): Result<string, Context>;
  }
}

/** KEYS: the claim. ARGV: who claims it, for how many ms, how old a claim of the same may be. Returns whose it is. */
const claimScript = `${unsaved}
local owner = redis.call('GET', KEYS[1])
if owner and tonumber(ARGV[2]) - redis.call('PTTL', KEYS[1]) <= tonumber(ARGV[3]) then return owner end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`;

/** Claims to words that were heard within this, in ms, are claims to the same words. */
const forMs = 2_000;

/** Claims to words that were heard, across all api processes: the first satellite to hear them answers. */
export function createUtteranceClaims({ redis }: { redis: Redis }) {
  redis.defineCommand('claimUtterance', { numberOfKeys: 1, lua: claimScript });

  /** Claims it for `owner`. Returns its owner: this one, or another that claimed it within the last `agoMs`, or 2 s. */
  return async (utterance: string, owner: string, agoMs: number): Promise<string> => {
    // People's words have no place in the names of keys.
    const key = keys.utteranceClaims.of(createHash('sha256').update(utterance).digest('base64url'));
    return onRedis(redis, () => redis.claimUtterance(key, owner, forMs, Math.round(agoMs)));
  };
}
