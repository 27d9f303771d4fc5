import type { Redis } from 'ioredis';
import { hearChannel } from './channel.ts';
import { onEveryConnection } from './every-connection.ts';

interface RefresherOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** The channel on which changes are told. */
  channel: string;
  read: () => Promise<void>;
  onError: (error: Error) => void;
}

/**
 * Reads something from Redis into memory: at once, after every news of a change, and whenever Redis is back. While it is away, what was read last
 * goes on. The function that it returns reads it now.
 */
export function keepFresh({ redis, subscriber, channel, read, onError }: RefresherOptions) {
  let reading: Promise<void> | null = null;
  let isOutdated = false;

  /** Reads until nothing new was told meanwhile. */
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
  hearChannel({ subscriber, channel, onMessage: lookAgain, onListening: lookAgain, onError });
  return refresh;
}
