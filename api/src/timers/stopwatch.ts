import type { Redis } from 'ioredis';
import { z } from 'zod';
import { actionSchema } from '../actions/action-store.ts';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';

const key = keys.stopwatches.of();

const stopwatchSchema = z.object({
  /** When it was started, in the household's steady time in ms. Null while it is stopped. */
  runsSince: z.number().nullable(),
  /** The time it showed then. */
  shownMs: z.number(),
});

export type Stopwatch = z.infer<typeof stopwatchSchema>;

/** A stopwatch was started, stopped or reset. */
export const stopwatchActionSchema = actionSchema.extend({
  kind: z.literal('stopwatch.change'),
  place: z.string(),
  /** Null: there was none before, or is none after. */
  before: stopwatchSchema.nullable(),
  after: stopwatchSchema.nullable(),
});

export type StopwatchAction = z.infer<typeof stopwatchActionSchema>;

/** The elapsed time in ms. */
export function shownOn({ runsSince, shownMs }: Stopwatch, steadyNow: number): number {
  return shownMs + (runsSince === null ? 0 : Math.max(0, steadyNow - runsSince));
}

/** Each room has one stopwatch. Without a room, the conversation has one. */
export function stopwatchPlace({
  room,
  conversation,
}: {
  room: string | null;
  conversation: string | null;
}): string {
  return room === null ? `conversation:${conversation ?? ''}` : `room:${room.trim().toLowerCase()}`;
}

export type Stopwatches = ReturnType<typeof createStopwatches>;

/** The household's stopwatches by place. */
export function createStopwatches({ redis }: { redis: Redis }) {
  return {
    async all(): Promise<Map<string, Stopwatch>> {
      const found = await onRedis(redis, () => redis.hgetall(key));
      const read = Object.entries(found).flatMap(([place, record]): [string, Stopwatch][] => {
        const { data } = stopwatchSchema.safeParse(parseJson(record));
        return data === undefined ? [] : [[place, data]];
      });
      return new Map(read);
    },
    /** Null: removes it. */
    async put(place: string, stopwatch: Stopwatch | null): Promise<void> {
      if (stopwatch === null) await onRedis(redis, () => redis.hdel(key, place));
      else await onRedis(redis, () => redis.hset(key, place, JSON.stringify(stopwatch)));
    },
  };
}
