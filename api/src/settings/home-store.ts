import type { Redis } from 'ioredis';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { type KeptHome, keptHomeSchema } from './home-connection.ts';

/** The news that the household's Home Assistant is another one, or none any more. */
export const homeChannel = 'hearth:home-assistant-news';

const homeKey = keys.homeAssistant.of();

export type HomeStore = ReturnType<typeof createHomeStore>;

/** The Home Assistant that was connected on the page. Only a worker reads its token. */
export function createHomeStore({ redis }: { redis: Redis }) {
  const tell = (change: (write: ReturnType<Redis['multi']>) => void) =>
    onRedis(redis, async () => {
      const write = redis.multi();
      change(write);
      await write.publish(channelOn(redis, homeChannel), '').exec();
    });
  return {
    keep: ({ url, token }: KeptHome) => tell((write) => write.del(homeKey).hset(homeKey, { url, token })),
    forget: () => tell((write) => write.del(homeKey)),
    /** Null: none was connected. */
    address: (): Promise<string | null> => onRedis(redis, () => redis.hget(homeKey, 'url')),
    /** Null: none was connected, or what is kept cannot be read. */
    async read(): Promise<KeptHome | null> {
      const kept = await onRedis(redis, () => redis.hgetall(homeKey));
      return keptHomeSchema.safeParse(kept).data ?? null;
    },
  };
}
