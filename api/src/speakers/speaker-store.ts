import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import {
  changedSpeaker,
  type KeptSpeaker,
  type SpeakerChange,
  speakerAt,
  speakerSchema,
  untouchedSpeaker,
} from './speaker.ts';

const key = keys.speakers.of();
/** Says that a loudspeaker has changed; it does not say which. */
export const speakerChannel = 'hearth:speaker-news';
/** A household has no more. Beyond that the ones that were changed longest ago are forgotten. */
const mostKept = 500;

/** When it was changed, in the household's steady time in ms. */
const recordSchema = speakerSchema.extend({ at: z.number() });

export type SpeakerStore = ReturnType<typeof createSpeakerStore>;

interface StoreOptions {
  redis: Redis;
  /** The household's steady time in ms. */
  steady: () => number;
}

/** The loudspeakers of the household that somebody has set, by the names of their satellites. */
export function createSpeakerStore({ redis, steady }: StoreOptions) {
  const tell = (): Promise<number> => redis.publish(channelOn(redis, speakerChannel), '');
  const readAll = async () => {
    const found = await onRedis(redis, () => redis.hgetall(key));
    return Object.entries(found).flatMap(([name, record]) => {
      const { data } = recordSchema.safeParse(parseJson(record));
      return data === undefined ? [] : [{ name, ...data }];
    });
  };
  const forgetOldest = async (): Promise<void> => {
    const oldest = (await readAll()).toSorted((one, other) => other.at - one.at).slice(mostKept);
    if (oldest.length > 0) await redis.hdel(key, ...oldest.map(({ name }) => name));
  };
  const put = (name: string, { volume, muted, turn }: KeptSpeaker): Promise<void> =>
    onRedis(redis, async () => {
      await redis.hset(key, name, JSON.stringify({ volume, muted, turn, at: steady() }));
      if ((await redis.hlen(key)) > mostKept) await forgetOldest();
      await tell();
    });
  const read = async (name: string): Promise<KeptSpeaker> => {
    const record = await onRedis(redis, () => redis.hget(key, name));
    const { data } = speakerSchema.safeParse(parseJson(record ?? ''));
    return speakerAt(data ?? untouchedSpeaker, steady());
  };

  return {
    /** As it is now. */
    read,
    put,
    /** Changes it, and returns it as it is then. */
    async change(name: string, change: SpeakerChange, turn: string | null): Promise<KeptSpeaker> {
      const after = changedSpeaker(await read(name), change, { now: steady(), turn });
      await put(name, after);
      return after;
    },
    /** All that were set, by name. */
    async all(): Promise<Map<string, KeptSpeaker>> {
      return new Map(
        (await readAll()).map(({ name, volume, muted, turn }) => [name, { volume, muted, turn }]),
      );
    },
    /** One whose satellite will not come back. */
    async forget(name: string): Promise<void> {
      await onRedis(redis, () => redis.hdel(key, name));
    },
  };
}
