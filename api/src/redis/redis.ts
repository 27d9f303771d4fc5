import type { Redis, RedisOptions } from 'ioredis';
import { startAwakeLimit } from '../awake-limit.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { openRedis } from './redis-address.ts';

const refusals = ['redis_full', 'redis_disk_full', 'redis_disk_failed'] as const satisfies ErrorCode[];
export type Refusal = (typeof refusals)[number];

/** BullMQ's default waits up to 20 s, long after Redis is back. */
function retryStrategy(attempt: number): number {
  return Math.min(100 * attempt, 1_000);
}

/** Timeout of one command. Someone waits for the answer, and "Redis is down" must be said within a second. */
const commandMs = 900;
/** Closes a connection that stays silent this long, such as the port of a starting container. */
const silenceMs = 2_000;

const impatient = {
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  connectTimeout: 1_000,
  // Our channels resubscribe themselves. A failed attempt by the library would be an unhandled rejection and
  // end the process.
  autoResubscribe: false,
  retryStrategy,
} satisfies RedisOptions;

/** BullMQ's workers use blocking commands, so theirs may neither time out nor give up. */
export const patientRedis = {
  maxRetriesPerRequest: null,
  connectTimeout: 1_000,
  // Longer than the longest blocking command, a queue's `blockS`. The worker raises it for queues with
  // delayed jobs.
  socketTimeout: 5_000,
  retryStrategy,
} satisfies RedisOptions;

interface ConnectOptions {
  url: string;
  onError: (error: Error) => void;
}

const maxListeners = 50;

/** Opens a connection whose commands fail at once while Redis is unavailable. It reconnects by itself. */
export function connectRedis({ url, onError }: ConnectOptions): Redis {
  const redis = openRedis(url, impatient);
  limitCommands(redis);
  redis.on('error', onError);
  // A dozen parts of a process listen for reconnects, which is not a leak.
  redis.setMaxListeners(maxListeners);
  return redis;
}

/**
 * Limits how long a command waits for its answer. The library's timeouts also count time in which this
 * process stalls. They then fail a command whose answer is already in the buffer.
 */
function limitCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const limit = startAwakeLimit(commandMs, () => {
      command.reject(new Error('Command timed out'));
      closeIfSilent(redis, silenceMs - commandMs);
    });
    command.promise.then(limit.stop, limit.stop);
    return send(command, stream);
  };
}

/** Closes the connection if nothing arrives within `ms`. The library then reconnects. */
function closeIfSilent(redis: Redis, ms: number): void {
  const { stream } = redis;
  const { bytesRead } = stream;
  startAwakeLimit(ms, () => {
    if (redis.stream === stream && stream.bytesRead === bytesRead) {
      stream.destroy(new Error(`Socket timeout. No data in ${silenceMs} ms.`));
    }
  });
}

/** Runs work on Redis and converts its errors: Redis rejects writes, or is unavailable. */
export async function onRedis<T>(redis: Redis, work: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new AppError('redis_unavailable');
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const refusal = refusalOf(error);
    throw refusal === null
      ? redisUnavailable(isSilence(error), error)
      : new AppError(refusal, undefined, { cause: error });
  }
}

/**
 * The error for an unavailable Redis: either it accepted the connection and never answers, or it cannot be
 * reached.
 */
export function redisUnavailable(isSilent: boolean, cause?: unknown): AppError {
  const message = isSilent
    ? 'Redis, the database of this server, is running but does not answer.'
    : undefined;
  return new AppError('redis_unavailable', message, { cause });
}

/** Whether an error means an open connection without an answer. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(Command|Socket) time/i.test(error.message);
}

/** Why Redis rejects writes, from its error message. Null for other errors. */
export function refusalOf(error: unknown): Refusal | null {
  const message = error instanceof Error ? error.message : '';
  if (/\bOOM command not allowed/.test(message)) return 'redis_full';
  if (!/\bMISCONF\b/.test(message)) return null;
  // For the append-only file, Redis quotes the system's error.
  return /No space left|quota exceeded/i.test(message) ? 'redis_disk_full' : 'redis_disk_failed';
}

/** Whether Redis was unavailable or rejected writes, so that a retry may succeed. */
export function isRedisFailure(code: ErrorCode): boolean {
  return code === 'redis_unavailable' || refusals.some((each) => each === code);
}
