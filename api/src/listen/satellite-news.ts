import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';

const channel = 'hearth:satellites';

const newsSchema = z.object({ client: z.string(), sessionId: z.string(), connectedAt: z.number() });

/** A satellite has connected to one of the api processes. */
export type SatelliteNews = z.infer<typeof newsSchema>;

interface MessageOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
}

/** Tells all api processes which satellites connect, so that a satellite keeps only one connection. */
export function createSatelliteNews({ redis, subscriber, onBadEvent }: MessageOptions) {
  const listeners = new Set<(news: SatelliteNews) => void>();
  subscribeToMessages({
    subscriber,
    channel,
    schema: newsSchema,
    onNews: (news) => {
      for (const listener of listeners) listener(news);
    },
    onError: onBadEvent,
  });

  return {
    async tell(news: SatelliteNews): Promise<void> {
      await onRedis(redis, () => redis.publish(channelOn(redis, channel), JSON.stringify(news)));
    },
    listen: (listener: (news: SatelliteNews) => void) => void listeners.add(listener),
  };
}
