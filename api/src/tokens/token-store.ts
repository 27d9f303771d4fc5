import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type DeviceToken, scopes } from './device-token.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    makeToken(...args: string[]): Result<'made' | 'exists' | 'full', Context>;
    revokeToken(...args: string[]): Result<string | null, Context>;
    noteTokenUse(...args: string[]): Result<number, Context>;
  }
}

/** More devices and programs than any home has. */
const maxTokens = 100;

const tokensKey = keys.tokens.of();
const usesKey = keys.tokenUses.of();

/** The news that tokens were made or revoked. */
export const tokensChannel = 'hearth:token-news';
/** The same, when a backup was put back. */
export const restoredNews = 'restored';

/** KEYS: tokens, uses. ARGV: name, token, channel. */
const makeScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'exists' end
if redis.call('HLEN', KEYS[1]) >= ${maxTokens} then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[3], 'made')
return 'made'`;

/** KEYS: tokens, uses. ARGV: name, channel. Returns the token as it was. */
const revokeScript = `
local was = redis.call('HGET', KEYS[1], ARGV[1])
if not was then return nil end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], 'revoked')
return was`;

/** KEYS: tokens, uses. ARGV: name, hash, use. A token that was revoked meanwhile, or made anew, has no such use. */
const noteScript = `
local token = redis.call('HGET', KEYS[1], ARGV[1])
if not token or cjson.decode(token).hash ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1`;

const keptSchema = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scope: z.enum(scopes),
  madeAt: z.number(),
  madeBy: z.string().nullable(),
});
const useSchema = z.object({ at: z.number(), from: z.string() });

/** When a token was last used, in Unix ms, and from which address. */
export type TokenUse = z.infer<typeof useSchema>;

export type TokenStore = ReturnType<typeof createTokenStore>;

/** The tokens of devices and programs in Redis, as hashes only, and their last uses. */
export function createTokenStore({ redis }: { redis: Redis }) {
  redis.defineCommand('makeToken', { numberOfKeys: 2, lua: makeScript });
  redis.defineCommand('revokeToken', { numberOfKeys: 2, lua: revokeScript });
  redis.defineCommand('noteTokenUse', { numberOfKeys: 2, lua: noteScript });

  return {
    /** All tokens, by name. What cannot be read opens nothing, and is left out. */
    async all(): Promise<DeviceToken[]> {
      const kept = await onRedis(redis, () => redis.hgetall(tokensKey));
      const found = Object.entries(kept).flatMap(([name, json]) => readToken(name, json) ?? []);
      return found.sort((one, other) => one.name.localeCompare(other.name));
    },

    async uses(): Promise<ReadonlyMap<string, TokenUse>> {
      const kept = await onRedis(redis, () => redis.hgetall(usesKey));
      return new Map(
        Object.entries(kept).flatMap(([name, json]): [string, TokenUse][] => {
          const { data } = useSchema.safeParse(parseJson(json));
          return data === undefined ? [] : [[name, data]];
        }),
      );
    },

    /** Keeps a token, unless its name is taken or there are too many. */
    make: (token: DeviceToken) =>
      onRedis(redis, () =>
        redis.makeToken(tokensKey, usesKey, token.name, writtenToken(token), tokensChannel),
      ),

    /** The token that is gone now; null if there was none. */
    async revoke(name: string): Promise<DeviceToken | null> {
      const json = await onRedis(redis, () => redis.revokeToken(tokensKey, usesKey, name, tokensChannel));
      return json === null ? null : (readToken(name, json) ?? null);
    },

    async note(token: DeviceToken, use: TokenUse): Promise<void> {
      const json = JSON.stringify(use);
      await onRedis(redis, () => redis.noteTokenUse(tokensKey, usesKey, token.name, token.hash, json));
    },
  };
}

function readToken(name: string, json: string): DeviceToken | undefined {
  const { data } = keptSchema.safeParse(parseJson(json));
  return data && { name, ...data };
}

function writtenToken({ hash, scope, madeAt, madeBy }: DeviceToken): string {
  return JSON.stringify({ hash, scope, madeAt, madeBy });
}
