import { createHash } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { keys } from '../../redis/keys.ts';
import { onRedis } from '../../redis/redis.ts';
import { unsaved } from '../../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    claimUtterance(key: string, owner: string, forMs: number, agoMs: number): Result<string, Context>;
  }
}

/** KEYS: the claim. ARGV: owner, lifetime in ms, maximum age of an older claim. Returns the owner. */
const claimScript = `${unsaved}
local owner = redis.call('GET', KEYS[1])
if owner and tonumber(ARGV[2]) - redis.call('PTTL', KEYS[1]) <= tonumber(ARGV[3]) then return owner end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`;

/**
 * Lifetime of a claim in ms. On a busy machine one satellite's transcript may come this much later than
 * another's.
 */
const forMs = 30_000;

/** Claims on heard words, across all api processes. The first satellite to claim them answers. */
export function createUtteranceClaims({ redis }: { redis: Redis }) {
  redis.defineCommand('claimUtterance', { numberOfKeys: 1, lua: claimScript });

  /**
   * Claims it for `owner`. Returns the owner: this one, or another with a claim from the last `agoMs`, at
   * most 30 s.
   */
  return async (utterance: string, owner: string, agoMs: number): Promise<string> => {
    // Hashed, because key names must not contain people's words.
    const key = keys.utteranceClaims.of(createHash('sha256').update(utterance).digest('base64url'));
    return onRedis(redis, () => redis.claimUtterance(key, owner, forMs, Math.round(agoMs)));
  };
}
