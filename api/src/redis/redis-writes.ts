import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { keys } from './keys.ts';
import { isSilence, onRedis, type Refusal, redisUnavailable, refusalOf } from './redis.ts';

const intervalMs = 1_000;

/** Called when Redis begins to reject writes, with the reason, or accepts them again (null). */
type OnChange = (refusal: Refusal | null) => void;

export type RedisWrites = ReturnType<typeof watchWrites>;

/**
 * Watches whether Redis accepts writes. It may answer reads and still reject writes, because its memory or
 * disk is full. Or it accepts connections and never answers, because it or its machine is suspended.
 */
export function watchWrites({ redis, log }: { redis: Redis; log: Logger }) {
  const listeners = new Set<OnChange>();
  let refusal: Refusal | null = null;
  let isSilent = false;

  const tell = (found: Refusal | null): void => {
    if (found === refusal) return;
    refusal = found;
    if (found === null) log.info('Redis accepts writes again');
    else log.error({ code: found }, new AppError(found).message);
    for (const listener of listeners) listener(found);
  };
  const look = async (): Promise<void> => {
    try {
      // Redis checks this like any write. But the key never exists, so nothing is stored and the disk is
      // spared.
      await onRedis(redis, () => redis.set(keys.nothing.of(), '', 'XX'));
      isSilent = false;
      tell(null);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (isSilence(cause)) isSilent = true;
      const found = refusalOf(cause);
      // An unavailable Redis reports no reason, so the last known one stays.
      if (found !== null) tell(found);
    }
  };
  const timer = setInterval(look, intervalMs).unref();
  // While Redis is unavailable, every connection attempt reports its error.
  redis.on('error', (error) => {
    isSilent = isSilence(error);
  });

  return {
    /** Why Redis rejects writes now. Null if it accepts them. */
    get refusal(): Refusal | null {
      return refusal;
    },
    /** The error for an unavailable Redis. */
    away: () => redisUnavailable(isSilent),
    /** Whether Redis, and every message through it, is silent now. */
    get isSilent(): boolean {
      return isSilent || redis.status !== 'ready';
    },
    listen: (listener: OnChange) => void listeners.add(listener),
    stop: () => clearInterval(timer),
  };
}
