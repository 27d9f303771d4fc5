import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import type { Place } from './timer.ts';

/** The satellites that are connected, whichever process holds them, by session. */
export const connectedKey = keys.connectedSatellites.of();

/** A process tells so often that its satellites are still there. */
export const tellConnectedEveryMs = 5_000;
/** One of which nothing was heard for so long has gone with its process. */
export const staleMs = 3 * tellConnectedEveryMs;

const connectedSchema = z.object({
  room: z.string().nullable(),
  conversation: z.string(),
  /** The household's steady time in ms. */
  seenAt: z.number(),
});

export interface ConnectedSatellite extends Place {
  sessionId: string;
}

export type SatellitesThere = ReturnType<typeof createSatellitesThere>;

/** Tells the other processes which satellites are connected to this one, and hears of theirs. Where a timer rings depends on all of them. */
export function createSatellitesThere({ redis }: { redis: Redis }) {
  const notSaved = createUnsaved(redis);
  return {
    /** These are connected here. `now` is the household's steady time in ms. */
    async tell(own: readonly ConnectedSatellite[], now: number): Promise<void> {
      const records = own.flatMap(({ sessionId, room, conversation }) => [
        sessionId,
        JSON.stringify({ room, conversation, seenAt: now }),
      ]);
      if (records.length > 0) await notSaved.hset(connectedKey, ...records);
    },
    /** Those of all processes. */
    async all(now: number): Promise<ConnectedSatellite[]> {
      const found = await onRedis(redis, () => redis.hgetall(connectedKey));
      const there = readConnected(found, now);
      const gone = Object.keys(found).filter((id) => !there.some(({ sessionId }) => sessionId === id));
      // The next process that looks can do it as well.
      if (gone.length > 0) notSaved.hdel(connectedKey, ...gone).catch(() => undefined);
      return there;
    },
    leave: (sessionId: string): Promise<void> => notSaved.hdel(connectedKey, sessionId),
  };
}

/** The satellites of all processes. `now` is the household's steady time in ms. */
export function readConnected(found: Readonly<Record<string, string>>, now: number): ConnectedSatellite[] {
  return Object.entries(found).flatMap(([sessionId, record]) => {
    const { data } = connectedSchema.safeParse(parseJson(record));
    if (data === undefined || data.seenAt < now - staleMs) return [];
    return [{ sessionId, room: data.room, conversation: data.conversation }];
  });
}
