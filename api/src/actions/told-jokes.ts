import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

/** Maximum number of stored jokes, in all languages together. */
const maxTold = 100;
const key = keys.toldJokes.of();

const toldJokeSchema = z.object({ turn: z.string(), joke: z.string() });

/** A joke, and the turn that told it. */
export type ToldJoke = z.infer<typeof toldJokeSchema>;

export type ToldJokes = ReturnType<typeof createToldJokes>;

/** The jokes that a household heard last. They are in Redis, because any worker may tell the next one. */
export function createToldJokes({ redis }: { redis: Redis }) {
  return {
    /** Newest first. */
    async all(): Promise<ToldJoke[]> {
      const lines = await onRedis(redis, () => redis.lrange(key, 0, -1));
      return lines.flatMap((line) => toldJokeSchema.safeParse(parseJson(line)).data ?? []);
    },
    async add(told: ToldJoke): Promise<void> {
      await onRedis(redis, () =>
        redis
          .multi()
          .lpush(key, JSON.stringify(told))
          .ltrim(key, 0, maxTold - 1)
          .exec(),
      );
    },
  };
}
