import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { connectRedis } from '../redis/redis.ts';
import { createSoundTransport } from '../sound-transport/sound-transport.ts';

interface WiredRedis {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /**
   * A separate connection for sound. Redis may disconnect it for being slow, without affecting the other one.
   */
  soundSubscriber: Redis;
  onError: (error: Error) => void;
  close: () => void;
}

/** The Redis connections of a process. */
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

/**
 * While Redis is unavailable, every connection fails several times a second. Log one line a minute, unless
 * the error changes.
 */
function redisTrouble(log: Logger): (error: Error) => void {
  let last = { message: '', at: Number.NEGATIVE_INFINITY };
  return (error) => {
    if (error.message === last.message && performance.now() - last.at < 60_000) return;
    last = { message: error.message, at: performance.now() };
    log.warn({ err: error }, 'Redis connection error');
  };
}

/** Transfers audio between this process and the others. `address`: a new id of this process. */
export function wireSoundTransport(
  { redis, soundSubscriber: subscriber }: Pick<WiredRedis, 'redis' | 'soundSubscriber'>,
  address: string,
  onBadPacket: (error: Error) => void,
) {
  return createSoundTransport({ redis, subscriber, address, onBadPacket });
}
