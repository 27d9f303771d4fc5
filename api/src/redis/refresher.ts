import type { Redis } from 'ioredis';
import { subscribeToChannel } from './channel.ts';
import { onEveryConnection } from './every-connection.ts';

interface RefresherOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** The channel that announces changes. */
  channel: string;
  read: () => Promise<void>;
  onError: (error: Error) => void;
}

/**
 * Keeps a copy of Redis data in memory: reads it now, after every change message, and after every reconnect.
 * While Redis is unavailable, the last copy stays in use. Returns a function that reads it now.
 */
export function keepFresh({ redis, subscriber, channel, read, onError }: RefresherOptions) {
  let reading: Promise<void> | null = null;
  let isOutdated = false;

  /** Reads until no change arrives during a read. */
  const readAll = async (): Promise<void> => {
    do {
      isOutdated = false;
      await read();
    } while (isOutdated);
  };
  const refresh = (): Promise<void> => {
    isOutdated = true;
    reading ??= readAll().finally(() => {
      reading = null;
    });
    return reading;
  };
  const lookAgain = onEveryConnection({ redis, work: refresh, onError });
  subscribeToChannel({ subscriber, channel, onMessage: lookAgain, onListening: lookAgain, onError });
  return refresh;
}
