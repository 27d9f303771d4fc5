import type { Redis } from 'ioredis';

const retryDelayMs = 500;

interface EveryConnectionOptions {
  redis: Redis;
  work: () => Promise<unknown>;
  onError: (error: Error) => void;
}

/**
 * Runs `work` on every connection to Redis: now and after each reconnect. A failure is reported, and the work
 * is retried until it succeeds or the connection breaks. It may fail if this process was suspended for longer
 * than a command timeout. Returns a function that runs it once more in the same way.
 */
export function onEveryConnection({ redis, work, onError }: EveryConnectionOptions): () => void {
  let newest = 0;
  const attempt = async (own: number): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      setTimeout(() => own === newest && redis.status === 'ready' && void attempt(own), retryDelayMs).unref();
    }
  };
  const begin = (): void => {
    newest += 1;
    void attempt(newest);
  };
  const again = (): void => {
    if (redis.status === 'ready') begin();
  };
  redis.on('ready', begin);
  again();
  return again;
}
