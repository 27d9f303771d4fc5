import type { Redis } from 'ioredis';
import { openRedis } from '../redis/redis-address.ts';

/** Command timeout of Redis for a backup. */
const answerMs = 30_000;

/**
 * Opens a separate connection for a backup, so that slow commands delay no one else. Rejects if Redis is
 * unavailable.
 */
export async function withOwnRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = openRedis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    commandTimeout: answerMs,
  });
  redis.on('error', () => undefined); // the failing command reports it
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
