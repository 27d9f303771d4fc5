import type { Redis } from 'ioredis';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type StoredHome, storedHomeSchema } from './home-connection.ts';

/** Announces that the household's Home Assistant was changed or removed. */
export const homeChannel = 'hearth:home-assistant-news';

const homeKey = keys.homeAssistant.of();

export type HomeStore = ReturnType<typeof createHomeStore>;

/** Stores the Home Assistant that was connected on the page. Only workers read its token. */
export function createHomeStore({ redis }: { redis: Redis }) {
  const tell = (change: (write: ReturnType<Redis['multi']>) => void) =>
    onRedis(redis, async () => {
      const write = redis.multi();
      change(write);
      await write.publish(channelOn(redis, homeChannel), '').exec();
    });
  return {
    keep: ({ url, token }: StoredHome) => tell((write) => write.del(homeKey).hset(homeKey, { url, token })),
    forget: () => tell((write) => write.del(homeKey)),
    /** Null: none is connected. */
    address: (): Promise<string | null> => onRedis(redis, () => redis.hget(homeKey, 'url')),
    /** Null: none is connected, or the record is unreadable. */
    async read(): Promise<StoredHome | null> {
      const kept = await onRedis(redis, () => redis.hgetall(homeKey));
      return storedHomeSchema.safeParse(kept).data ?? null;
    },
  };
}
