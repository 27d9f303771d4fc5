import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import { keys } from '../../redis/keys.ts';
import { onRedis } from '../../redis/redis.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    keepPauses(key: string, client: string, pauses: string, most: number): Result<number, Context>;
  }
}

/** Limits memory use if a satellite changes its name with every connection. */
const maxClients = 500;

/** KEYS: pauses of all clients. ARGV: client, pauses, maximum number of clients. */
const keepScript = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`;

const pausesSchema = z.array(z.number().int().nonnegative()).max(100);

export type PauseStore = ReturnType<typeof createPauseStore>;

/**
 * Stores how long the people at each satellite pause inside sentences: the longest pause of each recent
 * sentence, in ms.
 */
export function createPauseStore({ redis }: { redis: Redis }) {
  redis.defineCommand('keepPauses', { numberOfKeys: 1, lua: keepScript });
  const key = keys.spokenPauses.of();
  /** An unreadable entry counts as unknown. */
  const read = (text: string): number[] => pausesSchema.safeParse(parseJson(text)).data ?? [];

  return {
    /** Empty: not known yet. */
    async of(client: string): Promise<readonly number[]> {
      const text = await onRedis(redis, () => redis.hget(key, client));
      return text === null ? [] : read(text);
    },
    async keep(client: string, pauses: readonly number[]): Promise<void> {
      await onRedis(redis, () => redis.keepPauses(key, client, JSON.stringify(pauses), maxClients));
    },
    async all(): Promise<Map<string, readonly number[]>> {
      const all = await onRedis(redis, () => redis.hgetall(key));
      return new Map(Object.entries(all).map(([client, text]) => [client, read(text)]));
    },
    /** False: nothing was stored. */
    forget: async (client: string): Promise<boolean> =>
      (await onRedis(redis, () => redis.hdel(key, client))) > 0,
  };
}
