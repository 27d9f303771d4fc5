import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { compareNames } from '../name-order.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type DeviceToken, type MachineFields, type Scope, scopes } from './device-token.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    makeToken(...args: string[]): Result<'made' | 'exists' | 'full', Context>;
    revokeToken(...args: string[]): Result<string | null, Context>;
    changeMachineToken(...args: string[]): Result<string | null, Context>;
    noteTokenUse(...args: string[]): Result<number, Context>;
  }
}

/** More devices and programs than any home has. */
const maxTokens = 100;

const tokensKey = keys.tokens.of();
const usesKey = keys.tokenUses.of();

/** Announces that tokens were created or revoked. */
export const tokensChannel = 'hearth:token-news';
/** The message on that channel after a restore. */
export const restoredNews = 'restored';

/** KEYS: tokens, uses. ARGV: name, token, channel. */
const makeScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'exists' end
if redis.call('HLEN', KEYS[1]) >= ${maxTokens} then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[3], 'made')
return 'made'`;

/** KEYS: tokens, uses. ARGV: name, channel. Returns the revoked token. */
const revokeScript = `
local was = redis.call('HGET', KEYS[1], ARGV[1])
if not was then return nil end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], 'revoked')
return was`;

/**
 * KEYS: tokens. ARGV: name, scope, fields to change as JSON, those that a person's choice outranks as JSON,
 * channel. Returns the changed token.
 */
const changeScript = `
local was = redis.call('HGET', KEYS[1], ARGV[1])
local token = was and cjson.decode(was)
if not token or token.scope ~= ARGV[2] then return nil end
for field, value in pairs(cjson.decode(ARGV[3])) do token[field] = value end
if not token.isAddressChosen then
  for field, value in pairs(cjson.decode(ARGV[4])) do token[field] = value end
end
local now = cjson.encode(token)
redis.call('HSET', KEYS[1], ARGV[1], now)
redis.call('PUBLISH', ARGV[5], 'changed')
return now`;

/** KEYS: tokens, uses. ARGV: name, hash, use. Ignores a token that was revoked or replaced meanwhile. */
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
  isDraining: z.boolean().optional(),
  lends: z.array(z.string()).optional(),
  isWoken: z.boolean().optional(),
  mac: z.string().optional(),
  wakeAddress: z.string().optional(),
  isAddressChosen: z.boolean().optional(),
});
const useSchema = z.object({ at: z.number(), from: z.string() });

/** Last use of a token in Unix ms, and the address. */
type TokenUse = z.infer<typeof useSchema>;

export type TokenStore = ReturnType<typeof createTokenStore>;

/** Stores hashes of the tokens of devices and programs, and their last uses. */
export function createTokenStore({ redis }: { redis: Redis }) {
  redis.defineCommand('makeToken', { numberOfKeys: 2, lua: makeScript });
  redis.defineCommand('revokeToken', { numberOfKeys: 2, lua: revokeScript });
  redis.defineCommand('changeMachineToken', { numberOfKeys: 1, lua: changeScript });
  redis.defineCommand('noteTokenUse', { numberOfKeys: 2, lua: noteScript });

  return {
    /** All tokens, sorted by name. Skips unreadable ones, so they grant no access. */
    async all(): Promise<DeviceToken[]> {
      const kept = await onRedis(redis, () => redis.hgetall(tokensKey));
      const found = Object.entries(kept).flatMap(([name, json]) => readToken(name, json) ?? []);
      return found.sort((one, other) => compareNames(one.name, other.name));
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

    /** Stores a token, unless the name exists or there are too many. */
    make: (token: DeviceToken) =>
      onRedis(redis, () =>
        redis.makeToken(tokensKey, usesKey, token.name, writtenToken(token), tokensChannel),
      ),

    /** Revokes and returns a token. Null: there was none. */
    async revoke(name: string): Promise<DeviceToken | null> {
      const json = await onRedis(redis, () => redis.revokeToken(tokensKey, usesKey, name, tokensChannel));
      return json === null ? null : (readToken(name, json) ?? null);
    },

    /**
     * Changes a lending machine. `told`: its addresses as it tells them, used unless a person chose others.
     * Null: there is no such machine.
     */
    async changeMachine(
      name: string,
      fields: MachineFields,
      told: Pick<MachineFields, 'mac' | 'wakeAddress'> = {},
    ): Promise<DeviceToken | null> {
      const written = [fields, told].map((each) => JSON.stringify(each));
      const args = [tokensKey, name, 'lend' satisfies Scope, ...written, tokensChannel];
      const json = await onRedis(redis, () => redis.changeMachineToken(...args));
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
