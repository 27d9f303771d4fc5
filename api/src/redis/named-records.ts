import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { channelOn } from './channel.ts';
import { onRedis } from './redis.ts';

interface NamedRecordsOptions<Kept> {
  redis: Redis;
  /** The hash that contains all entries. */
  key: string;
  /** Announces that an entry has changed, without saying which. */
  channel: string;
  schema: z.ZodType<Kept>;
  /** Maximum number of entries. Beyond it, the least recently changed ones are deleted. */
  maxKept: number;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** Time of the last change, in the household's steady time in ms. */
const datedSchema = z.object({ at: z.number() });

/** A small store of records by name. Unreadable records count as missing. */
export function createNamedRecords<Kept extends object>(options: NamedRecordsOptions<Kept>) {
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
    /** Null: there is no record. */
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
