import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { parseJson } from '../json.ts';
import { onEveryConnection } from './every-connection.ts';

interface ChannelOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** Its plain name. */
  channel: string;
  /** No other process has a channel of this name, in whichever database: it is heard under its plain one. */
  isPrivate?: boolean;
  onMessage: (message: string) => void;
  /** From now on messages arrive; some may have been missed before. */
  onListening?: () => void;
  onError: (error: Error) => void;
}

/**
 * The channel of this household. Pub/Sub knows no databases, so that two households on one Redis would hear each other. In database 0, which
 * almost everybody uses, the name is the plain one, as it was before the others were told apart.
 */
export function channelOn({ options }: Redis, name: string): string {
  const db = options?.db ?? 0;
  return db === 0 ? name : `${name}:database-${db}`;
}

/** Hears a channel from now on, and again whenever the connection is back. */
export function hearChannel(options: ChannelOptions): void {
  const { subscriber, onMessage } = options;
  const channel = options.isPrivate ? options.channel : channelOn(subscriber, options.channel);
  subscribeNowAndAgain({ ...options, channel });
  subscriber.on('message', (from, message) => {
    if (from === channel) onMessage(message);
  });
}

function subscribeNowAndAgain(options: Omit<ChannelOptions, 'onMessage'>): void {
  const { subscriber, channel, onListening = () => undefined, onError } = options;
  onEveryConnection({
    redis: subscriber,
    work: async () => {
      await subscriber.subscribe(channel);
      onListening();
    },
    onError,
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

interface BytesOptions extends Omit<ChannelOptions, 'onMessage'> {
  /** A connection on which nothing else is heard: the others would read the bytes as text. */
  subscriber: Redis;
  onBytes: (message: Buffer) => void;
}

/** Hears a channel on which bytes come, as `hearChannel` does words. */
export function hearBytes({ onBytes, ...channel }: BytesOptions): void {
  channel.subscriber.on('messageBuffer', (_from: Buffer, message: Buffer) => onBytes(message));
  subscribeNowAndAgain(channel);
}
