import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { parseJson } from '../json.ts';
import { onEveryConnection } from './every-connection.ts';

interface ChannelOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** The name without a database suffix. */
  channel: string;
  /** The name is unique across all processes and databases, so it gets no database suffix. */
  isPrivate?: boolean;
  onMessage: (message: string) => void;
  /** Called when the subscription is active. Earlier messages may have been lost. */
  onListening?: (() => void) | undefined;
  onError: (error: Error) => void;
}

/**
 * The channel name for this household. Pub/Sub ignores databases, so two households on one Redis would
 * receive each other's messages. Database 0, the usual one, keeps the plain name for compatibility.
 */
export function channelOn({ options }: Redis, name: string): string {
  const db = options?.db ?? 0;
  return db === 0 ? name : `${name}:database-${db}`;
}

/** Subscribes to a channel, and again after every reconnect. */
export function subscribeToChannel(options: ChannelOptions): void {
  const { subscriber, onMessage, onListening, onError } = options;
  const channel = options.isPrivate ? options.channel : channelOn(subscriber, options.channel);
  subscribeNowAndAgain({ subscriber, channel, onListening, onError });
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

interface MessageOptions<News> extends Omit<ChannelOptions, 'onMessage'> {
  schema: z.ZodType<News>;
  onNews: (news: News) => void;
}

/** Receives JSON messages. Reports malformed ones to `onError`, without their content. */
export function subscribeToMessages<News>({ schema, onNews, ...channel }: MessageOptions<News>): void {
  subscribeToChannel({
    ...channel,
    onMessage: (message) => {
      const { data, error } = schema.safeParse(parseJson(message));
      if (data !== undefined) onNews(data);
      else channel.onError(new Error(`A message on ${channel.channel} could not be read`, { cause: error }));
    },
  });
}

interface BytesOptions extends Omit<ChannelOptions, 'onMessage'> {
  /** A separate connection, because other listeners would decode the bytes as text. */
  subscriber: Redis;
  onBytes: (message: Buffer) => void;
}

/** Like `subscribeToChannel`, for binary messages. */
export function subscribeToBytes({ onBytes, ...channel }: BytesOptions): void {
  channel.subscriber.on('messageBuffer', (_from: Buffer, message: Buffer) => onBytes(message));
  subscribeNowAndAgain(channel);
}
