import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { parseJson } from '../json.ts';

interface ChannelOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  channel: string;
  onMessage: (message: string) => void;
  /** From now on messages arrive; some may have been missed before. */
  onListening?: () => void;
  onError: (error: Error) => void;
}

/** Hears a channel from now on, and again whenever the connection is back. */
export function hearChannel(options: ChannelOptions): void {
  const { subscriber, channel, onMessage, onListening = () => undefined, onError } = options;
  const subscribe = () => subscriber.subscribe(channel).then(onListening, onError);
  if (subscriber.status === 'ready') void subscribe();
  subscriber.on('ready', subscribe);
  subscriber.on('message', (from, message) => {
    if (from === channel) onMessage(message);
  });
}

interface NewsOptions<News> extends Omit<ChannelOptions, 'onMessage'> {
  schema: z.ZodType<News>;
  onNews: (news: News) => void;
}

/** Hears news in JSON; what cannot be read is told to `onError`, without its words. */
export function hearNews<News>({ schema, onNews, ...channel }: NewsOptions<News>): void {
  hearChannel({
    ...channel,
    onMessage: (message) => {
      const { data, error } = schema.safeParse(parseJson(message));
      if (data !== undefined) onNews(data);
      else channel.onError(new Error(`A message on ${channel.channel} could not be read`, { cause: error }));
    },
  });
}
