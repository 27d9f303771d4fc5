import { Redis, type RedisOptions } from 'ioredis';
import { AppError } from '../errors.ts';

/** BullMQ's own would wait up to 20 s, long after Redis is back. */
function retryStrategy(attempt: number): number {
  return Math.min(100 * attempt, 1_000);
}

/** Short waits: someone is listening for the answer, and "Redis is down" must be said within a second. */
const impatient = {
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  connectTimeout: 1_000,
  commandTimeout: 900,
  // A connection on which nobody answers, as a starting container's port gives, must not be waited on for ever.
  socketTimeout: 2_000,
  retryStrategy,
} satisfies RedisOptions;

/** BullMQ's workers wait in blocking commands, so theirs may neither time out nor give up. */
export const patientRedis = {
  maxRetriesPerRequest: null,
  connectTimeout: 1_000,
  // Longer than the longest blocking command: a queue's `blockS`. Where jobs are delayed it is longer, and the worker knows.
  socketTimeout: 5_000,
  retryStrategy,
} satisfies RedisOptions;

interface ConnectOptions {
  url: string;
  onError: (error: Error) => void;
}

/** A connection whose commands fail at once while Redis is away, and work again by themselves when it is back. */
export function connectRedis({ url, onError }: ConnectOptions): Redis {
  const redis = new Redis(url, impatient);
  redis.on('error', onError);
  return redis;
}

/** Runs a piece of work on Redis; whatever goes wrong there is `redis_unavailable` to the caller. */
export async function onRedis<T>(redis: Redis, work: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new AppError('redis_unavailable');
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('redis_unavailable', undefined, { cause: error });
  }
}
