import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { connectRedis } from '../redis/redis.ts';

export interface WiredRedis {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** One on which sound comes. If it is cut off because it was too slow, the other one lives on. */
  soundSubscriber: Redis;
  onError: (error: Error) => void;
  close: () => void;
}

/** The connections of a process. */
export function wireRedis({ redisUrl: url }: Pick<Config, 'redisUrl'>, log: Logger): WiredRedis {
  const onError = redisTrouble(log);
  const redis = connectRedis({ url, onError });
  const subscriber = connectRedis({ url, onError });
  const soundSubscriber = connectRedis({ url, onError });
  return {
    redis,
    subscriber,
    soundSubscriber,
    onError,
    close: () => {
      redis.disconnect();
      subscriber.disconnect();
      soundSubscriber.disconnect();
    },
  };
}

/** While Redis is away every connection complains several times a second: one line a minute is enough, unless something changes. */
function redisTrouble(log: Logger): (error: Error) => void {
  let last = { message: '', at: Number.NEGATIVE_INFINITY };
  return (error) => {
    if (error.message === last.message && performance.now() - last.at < 60_000) return;
    last = { message: error.message, at: performance.now() };
    log.warn({ err: error }, 'Redis has trouble');
  };
}
