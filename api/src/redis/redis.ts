import { Redis, type RedisOptions } from 'ioredis';
import { startAwakeLimit } from '../awake-limit.ts';
import { AppError, type ErrorCode } from '../errors.ts';

const refusals = ['redis_full', 'redis_disk_full', 'redis_disk_failed'] as const satisfies ErrorCode[];
export type Refusal = (typeof refusals)[number];

/** BullMQ's own would wait up to 20 s, long after Redis is back. */
function retryStrategy(attempt: number): number {
  return Math.min(100 * attempt, 1_000);
}

/** Time limit for one command. Someone is listening for the answer, and "Redis is down" must be said within a second. */
const commandMs = 900;
/** Closes a connection that stays silent this long, such as the port of a container that is starting. */
const silenceMs = 2_000;

const impatient = {
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  connectTimeout: 1_000,
  // Our own channels do it. The library's attempt that came to nothing would be caught by nobody, and end the process.
  autoResubscribe: false,
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

const maxListeners = 50;

/** A connection whose commands fail at once while Redis is away, and work again by themselves when it is back. */
export function connectRedis({ url, onError }: ConnectOptions): Redis {
  const redis = new Redis(url, impatient);
  limitCommands(redis);
  redis.on('error', onError);
  // A dozen parts of a process share it, each of which wants to know when it is back: that is no leak.
  redis.setMaxListeners(maxListeners);
  return redis;
}

/**
 * Limits how long a command waits for its answer. The library's own limits count the time in which this process stalls, and then fail a command whose
 * answer lies unread.
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

/** Closes the connection if nothing arrives on it within `ms`. The library then connects again. */
function closeIfSilent(redis: Redis, ms: number): void {
  const { stream } = redis;
  const { bytesRead } = stream;
  startAwakeLimit(ms, () => {
    if (redis.stream === stream && stream.bytesRead === bytesRead) {
      stream.destroy(new Error(`Socket timeout. No data in ${silenceMs} ms.`));
    }
  });
}

/** Runs a piece of work on Redis. What goes wrong there is a failure of Redis to the caller: it takes nothing new, or it is away. */
export async function onRedis<T>(redis: Redis, work: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new AppError('redis_unavailable');
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const refusal = refusalOf(error);
    throw refusal === null
      ? redisAway(isSilence(error), error)
      : new AppError(refusal, undefined, { cause: error });
  }
}

/** Redis cannot be used: it does not answer on a connection that it has taken, because it or its machine stands still, or it cannot be reached. */
export function redisAway(isSilent: boolean, cause?: unknown): AppError {
  const message = isSilent ? 'Redis, the memory of this server, is running but does not answer.' : undefined;
  return new AppError('redis_unavailable', message, { cause });
}

/** Whether an error says that there is a connection, and no answer on it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(Command|Socket) time/i.test(error.message);
}

/** Why Redis answers and yet takes nothing new, as it says so itself; null when it failed otherwise. */
export function refusalOf(error: unknown): Refusal | null {
  const told = error instanceof Error ? error.message : '';
  if (/\bOOM command not allowed/.test(told)) return 'redis_full';
  if (!/\bMISCONF\b/.test(told)) return null;
  // Of a file that is only added to it tells the system's own reason.
  return /No space left|quota exceeded/i.test(told) ? 'redis_disk_full' : 'redis_disk_failed';
}

/** Whether Redis was away or took nothing new: the same work may succeed later. */
export function isRedisFailure(code: ErrorCode): boolean {
  return code === 'redis_unavailable' || refusals.some((each) => each === code);
}
