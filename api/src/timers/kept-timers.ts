import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { connectedKey, readConnected } from './satellites-there.ts';
import { type Place, ringsWhere, type Timer } from './timer.ts';
import { readTimer } from './timer-records.ts';

const timersKey = keys.timers.of();

interface KeptTimersOptions {
  redis: Redis;
  /** Whether timers ring only where they were asked for now. */
  isQuiet: () => boolean;
}

export type KeptTimers = ReturnType<typeof createKeptTimers>;

/** Reads the timers that are not over. */
export function createKeptTimers({ redis, isQuiet }: KeptTimersOptions) {
  /** Every timer that is not over, the next one first. */
  const all = async (): Promise<Timer[]> => {
    const records = await onRedis(redis, () => redis.hvals(timersKey));
    return records.flatMap(readTimer).toSorted((one, other) => one.dueAt - other.dueAt);
  };

  return {
    all,

    async read(id: string): Promise<Timer | null> {
      const record = await onRedis(redis, () => redis.hget(timersKey, id));
      return record === null ? null : (readTimer(record)[0] ?? null);
    },

    /** The timers that ring where somebody speaks; without a speaker all that ring. */
    async ringing(speaker?: Place): Promise<Timer[]> {
      const found = (await all()).filter(({ state }) => state === 'ringing');
      if (speaker === undefined || found.length === 0) return found;
      const connected = readConnected(await onRedis(redis, () => redis.hgetall(connectedKey)), Date.now());
      return found.filter((timer) => ringsWhere(timer, speaker, { connected, isQuiet: isQuiet() }));
    },
  };
}
