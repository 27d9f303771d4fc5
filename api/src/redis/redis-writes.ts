import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { keys } from './keys.ts';
import { isSilence, onRedis, type Refusal, redisAway, refusalOf } from './redis.ts';

const everyMs = 1_000;

/** Redis takes nothing new from now on, and why; null: it does again. */
type OnChange = (refusal: Refusal | null) => void;

export type RedisWrites = ReturnType<typeof watchWrites>;

/**
 * Whether Redis takes what it is told. It may answer every question and yet keep nothing new: its memory or its disk is full. Or it takes every
 * connection and says nothing: it was stopped, or its machine stands still.
 */
export function watchWrites({ redis, log }: { redis: Redis; log: Logger }) {
  const listeners = new Set<OnChange>();
  let refusal: Refusal | null = null;
  let isSilent = false;

  const tell = (found: Refusal | null): void => {
    if (found === refusal) return;
    refusal = found;
    if (found === null) log.info('Redis takes again what it is told');
    else log.error({ code: found }, new AppError(found).message);
    for (const listener of listeners) listener(found);
  };
  const look = async (): Promise<void> => {
    try {
      // A write like any other to Redis, and yet none, for the key is not there: nothing is kept, and no disk is worn.
      await onRedis(redis, () => redis.set(keys.nothing.of(), '', 'XX'));
      isSilent = false;
      tell(null);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (isSilence(cause)) isSilent = true;
      const found = refusalOf(cause);
      // One that is away says nothing of it: what was known stays.
      if (found !== null) tell(found);
    }
  };
  const timer = setInterval(look, everyMs).unref();
  // While it is away, each try to connect says how it failed.
  redis.on('error', (error) => {
    isSilent = isSilence(error);
  });

  return {
    /** Why Redis takes nothing new at the moment; null while it does. */
    get refusal(): Refusal | null {
      return refusal;
    },
    /** Why Redis cannot be used, where it is known that it cannot be. */
    away: () => redisAway(isSilent),
    /** Whether Redis, and all that is told through it, is silent at the moment. */
    get isSilent(): boolean {
      return isSilent || redis.status !== 'ready';
    },
    listen: (listener: OnChange) => void listeners.add(listener),
    stop: () => clearInterval(timer),
  };
}
