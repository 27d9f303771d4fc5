import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { channelOn } from './channel.ts';
import { onRedis } from './redis.ts';

interface KeptByNameOptions<Kept> {
  redis: Redis;
  /** The hash in which all are kept. */
  key: string;
  /** Says that one has changed; it does not say which. */
  channel: string;
  schema: z.ZodType<Kept>;
  /** Beyond that the ones that were changed longest ago are forgotten. */
  maxKept: number;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** When it was changed, in the household's steady time in ms. */
const datedSchema = z.object({ at: z.number() });

/** Something that is kept of each of a few, by their names. What cannot be read counts as not kept. */
export function createKeptByName<Kept extends object>(options: KeptByNameOptions<Kept>) {
  const { redis, key, channel, schema, maxKept, steady } = options;
  const tell = (): Promise<number> => redis.publish(channelOn(redis, channel), '');
  const readOne = (record: string): Kept | null => schema.safeParse(parseJson(record)).data ?? null;
  const forgetOldest = async (): Promise<void> => {
    const dated = Object.entries(await redis.hgetall(key)).map(([name, record]) => ({
      name,
      at: datedSchema.safeParse(parseJson(record)).data?.at ?? 0,
    }));
    const oldest = dated.toSorted((one, other) => other.at - one.at).slice(maxKept);
    if (oldest.length > 0) await redis.hdel(key, ...oldest.map(({ name }) => name));
  };

  return {
    /** Null: nothing is kept of it. */
    async read(name: string): Promise<Kept | null> {
      const record = await onRedis(redis, () => redis.hget(key, name));
      return record === null ? null : readOne(record);
    },
    async all(): Promise<Map<string, Kept>> {
      const found = await onRedis(redis, () => redis.hgetall(key));
      return new Map(
        Object.entries(found).flatMap(([name, record]): [string, Kept][] => {
          const kept = readOne(record);
          return kept === null ? [] : [[name, kept]];
        }),
      );
    },
    put: (name: string, kept: Kept): Promise<void> =>
      onRedis(redis, async () => {
        await redis.hset(key, name, JSON.stringify({ ...kept, at: steady() }));
        if ((await redis.hlen(key)) > maxKept) await forgetOldest();
        await tell();
      }),
    forget: (name: string): Promise<void> =>
      onRedis(redis, async () => {
        if ((await redis.hdel(key, name)) > 0) await tell();
      }),
  };
}
