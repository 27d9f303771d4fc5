import { Redis } from 'ioredis';

/** Redis answers within this, or not at all. */
const answerMs = 30_000;

/** A connection for a backup alone: what takes long there keeps nobody waiting elsewhere. Rejects if Redis cannot be reached. */
export async function withOwnRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    commandTimeout: answerMs,
  });
  redis.on('error', () => undefined); // told by the command that fails
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
