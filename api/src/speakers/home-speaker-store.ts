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

/** Says that Home Assistant's speakers are others now. */
export const homeSpeakersChannel = 'hearth:home-speaker-news';

const [speakersKey, holderKey] = [keys.homeSpeakers.of(), keys.homeSpeakersHolder.of()];

/** KEYS: who holds them. ARGV: process, ms. Returns whether this process holds them. */
const holdScript = `${unsaved}
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** KEYS: the speakers. ARGV: what they are now, the channel. Every worker tells them: only what is new is news. */
const tellScript = `${unsaved}
if redis.call('GET', KEYS[1]) == ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], '')
return 1`;

const speakersSchema = z.array(homeSpeakerSchema);

export type HomeSpeakerStore = ReturnType<typeof createHomeSpeakerStore>;

/** The speakers of Home Assistant as the workers see them, and which api process plays on them. */
export function createHomeSpeakerStore({ redis }: { redis: Redis }) {
  redis.defineCommand('holdHomeSpeakers', { numberOfKeys: 1, lua: holdScript });
  redis.defineCommand('tellHomeSpeakers', { numberOfKeys: 1, lua: tellScript });
  return {
    /** None: no Home Assistant is connected, or what is kept cannot be read. */
    async all(): Promise<HomeSpeaker[]> {
      const kept = await onRedis(redis, () => redis.get(speakersKey));
      return speakersSchema.safeParse(parseJson(kept ?? '')).data ?? [];
    },
    async tell(speakers: readonly HomeSpeaker[]): Promise<void> {
      const channel = channelOn(redis, homeSpeakersChannel);
      await onRedis(redis, () => redis.tellHomeSpeakers(speakersKey, JSON.stringify(speakers), channel));
    },
    /** Whether this process is the one that plays on them, for so long. */
    hold: async (by: string, forMs: number): Promise<boolean> =>
      (await onRedis(redis, () => redis.holdHomeSpeakers(holderKey, by, forMs))) === 1,
    /** If this process is the one. */
    async letGo(by: string): Promise<void> {
      if ((await onRedis(redis, () => redis.get(holderKey))) === by)
        await onRedis(redis, () => redis.del(holderKey));
    },
  };
}
