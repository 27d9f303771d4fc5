import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { type HomeSpeaker, homeSpeakerSchema } from '../engines/home-speaker.ts';
import { parseJson } from '../json.ts';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { unsaved } from '../redis/unsaved.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    holdHomeSpeakers(key: string, by: string, forMs: number): Result<number, Context>;
    tellHomeSpeakers(key: string, speakers: string, channel: string): Result<number, Context>;
  }
}

/** Announces that Home Assistant's speakers have changed. */
export const homeSpeakersChannel = 'hearth:home-speaker-news';

const [speakersKey, holderKey] = [keys.homeSpeakers.of(), keys.homeSpeakersHolder.of()];

/** KEYS: the holder. ARGV: process, ms. Returns whether this process holds the speakers. */
const holdScript = `${unsaved}
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * KEYS: the speakers. ARGV: their current list, the channel. Every worker reports them, but only a change is
 * published.
 */
const tellScript = `${unsaved}
if redis.call('GET', KEYS[1]) == ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], '')
return 1`;

const speakersSchema = z.array(homeSpeakerSchema);

export type HomeSpeakerStore = ReturnType<typeof createHomeSpeakerStore>;

/** Home Assistant's speakers as reported by the workers, and the api process that plays on them. */
export function createHomeSpeakerStore({ redis }: { redis: Redis }) {
  redis.defineCommand('holdHomeSpeakers', { numberOfKeys: 1, lua: holdScript });
  redis.defineCommand('tellHomeSpeakers', { numberOfKeys: 1, lua: tellScript });
  return {
    /** Empty: no Home Assistant is connected, or the record is unreadable. */
    async all(): Promise<HomeSpeaker[]> {
      const kept = await onRedis(redis, () => redis.get(speakersKey));
      return speakersSchema.safeParse(parseJson(kept ?? '')).data ?? [];
    },
    async tell(speakers: readonly HomeSpeaker[]): Promise<void> {
      const channel = channelOn(redis, homeSpeakersChannel);
      await onRedis(redis, () => redis.tellHomeSpeakers(speakersKey, JSON.stringify(speakers), channel));
    },
    /** Whether this process may play on them for the next `forMs`. */
    hold: async (by: string, forMs: number): Promise<boolean> =>
      (await onRedis(redis, () => redis.holdHomeSpeakers(holderKey, by, forMs))) === 1,
    /** Releases the hold if this process has it. */
    async letGo(by: string): Promise<void> {
      if ((await onRedis(redis, () => redis.get(holderKey))) === by)
        await onRedis(redis, () => redis.del(holderKey));
    },
  };
}
