import type { Redis } from 'ioredis';

const againMs = 500;

interface EveryConnectionOptions {
  redis: Redis;
  work: () => Promise<unknown>;
  onError: (error: Error) => void;
}

/**
 * Does something whenever a connection to Redis is there: now, and each time it is back. If it fails, for example because this process stood still
 * longer than a command may take, it is done again until it succeeds or the connection breaks. Each failure is told. The function that it returns
 * does it once more in the same way.
 */
export function onEveryConnection({ redis, work, onError }: EveryConnectionOptions): () => void {
  let newest = 0;
  const attempt = async (own: number): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      setTimeout(() => own === newest && redis.status === 'ready' && void attempt(own), againMs).unref();
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
