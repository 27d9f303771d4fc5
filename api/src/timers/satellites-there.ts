import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import { wakeModeSchema } from '../satellites/wake-mode.ts';
import type { Place } from './timer.ts';

/** Hash of the connected satellites of all processes, by session. */
export const connectedKey = keys.connectedSatellites.of();

/** How often a process reports its satellites. */
export const tellConnectedEveryMs = 5_000;
/** A satellite without a report for this long is gone, together with its process. */
export const staleMs = 3 * tellConnectedEveryMs;

const connectedSchema = z.object({
  room: z.string().nullable(),
  conversation: z.string(),
  homeSpeaker: z.enum(['satellite', 'player']).optional(),
  /** Undefined: it has its own way of waking. */
  wake: wakeModeSchema.optional(),
  /** The household's steady times in ms. Records of the previous version have no `since`. */
  since: z.number().optional(),
  seenAt: z.number(),
});

export interface ConnectedSatellite extends Place {
  sessionId: string;
  wake?: z.infer<typeof wakeModeSchema> | undefined;
  /** The household's steady time in ms of its first report, some seconds after it connected. */
  since?: number;
}

/** Hash of named satellites, connected or not. */
const seenKey = keys.seenSatellites.of();
const maxSeen = 200;

const seenSchema = z.object({ room: z.string().nullable(), seenAt: z.number() });

interface SeenSatellite extends z.infer<typeof seenSchema> {
  name: string;
}

/** The conversation of a satellite without a name. */
export function unnamedConversation(sessionId: string): string {
  return `listen-${sessionId}`;
}

export function isUnnamed(conversation: string | null): boolean {
  return /^listen-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(conversation ?? '');
}

export type SatellitesThere = ReturnType<typeof createSatellitesThere>;

/** Shares the connected satellites between processes. All of them decide where a timer rings. */
export function createSatellitesThere({ redis }: { redis: Redis }) {
  const notSaved = createUnsaved(redis);
  /** The times of the first reports, by session of this process. */
  let firstTold: ReadonlyMap<string, number> = new Map();
  const seen = async (): Promise<SeenSatellite[]> => {
    const found = await onRedis(redis, () => redis.hgetall(seenKey));
    return Object.entries(found).flatMap(([name, record]) => {
      const { data } = seenSchema.safeParse(parseJson(record));
      return data === undefined ? [] : [{ name, ...data }];
    });
  };
  const noteSeen = async (own: readonly ConnectedSatellite[], seenAt: number): Promise<void> => {
    const named = own.flatMap(({ sessionId, room, conversation, homeSpeaker }) =>
      conversation === null || homeSpeaker || conversation === unnamedConversation(sessionId)
        ? []
        : [conversation, JSON.stringify({ room, seenAt })],
    );
    if (named.length === 0) return;
    await notSaved.hset(seenKey, ...named);
    if ((await onRedis(redis, () => redis.hlen(seenKey))) <= maxSeen) return;
    const oldest = (await seen()).toSorted((one, other) => other.seenAt - one.seenAt).slice(maxSeen);
    if (oldest.length > 0) await notSaved.hdel(seenKey, ...oldest.map(({ name }) => name));
  };

  return {
    /** Named satellites, connected or not, with the steady time in ms when they were last connected. */
    seen,
    /** Reports the satellites connected here. `now` is the household's steady time in ms. */
    async tell(own: readonly ConnectedSatellite[], now: number): Promise<void> {
      const times = new Map(own.map(({ sessionId }) => [sessionId, firstTold.get(sessionId) ?? now]));
      firstTold = times;
      const records = own.flatMap(({ sessionId, room, conversation, homeSpeaker, wake }) => [
        sessionId,
        JSON.stringify({ room, conversation, homeSpeaker, wake, since: times.get(sessionId), seenAt: now }),
      ]);
      if (records.length === 0) return;
      await notSaved.hset(connectedKey, ...records);
      await noteSeen(own, now);
    },
    /** The satellites of all processes. */
    async all(now: number): Promise<ConnectedSatellite[]> {
      const found = await onRedis(redis, () => redis.hgetall(connectedKey));
      const there = readConnected(found, now);
      const gone = Object.keys(found).filter((id) => !there.some(({ sessionId }) => sessionId === id));
      // On failure, the next read removes them.
      if (gone.length > 0) notSaved.hdel(connectedKey, ...gone).catch(() => undefined);
      return there;
    },
    leave: (sessionId: string): Promise<void> => notSaved.hdel(connectedKey, sessionId),
    /** Deletes a named satellite that will not return. */
    forget: (name: string): Promise<void> => notSaved.hdel(seenKey, name),
  };
}

/** Parses the satellites of all processes, without stale ones. `now` is the household's steady time in ms. */
export function readConnected(found: Readonly<Record<string, string>>, now: number): ConnectedSatellite[] {
  return Object.entries(found).flatMap(([sessionId, record]) => {
    const { data } = connectedSchema.safeParse(parseJson(record));
    if (data === undefined || data.seenAt < now - staleMs) return [];
    const { room, conversation, homeSpeaker, wake, since } = data;
    const place = { sessionId, room, conversation, ...(homeSpeaker && { homeSpeaker }) };
    return [{ ...place, ...(wake && { wake }), ...(since !== undefined && { since }) }];
  });
}
