import type { Redis } from 'ioredis';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { connectedKey, readConnected } from './satellites-there.ts';
import { type Place, ringsWhere, type Timer } from './timer.ts';
import { readTimer } from './timer-records.ts';
import { byClockNow } from './timer-time.ts';

const timersKey = keys.timers.of();

interface StoredTimersOptions {
  redis: Redis;
  /** Whether timers now ring only where they were set (quiet hours). */
  isQuiet: () => boolean;
  clock: HouseholdClock;
}

export type StoredTimers = ReturnType<typeof createStoredTimers>;

/** Reads the timers that are not over. */
export function createStoredTimers({ redis, isQuiet, clock }: StoredTimersOptions) {
  const readAll = (records: readonly string[]): Timer[] =>
    records.flatMap(readTimer).map((timer) => byClockNow(timer, clock));

  /** Every timer that is not over, earliest first. */
  const all = async (): Promise<Timer[]> => {
    const records = await onRedis(redis, () => redis.hvals(timersKey));
    return readAll(records).toSorted((one, other) => one.dueAt - other.dueAt);
  };

  return {
    all,

    async read(id: string): Promise<Timer | null> {
      const record = await onRedis(redis, () => redis.hget(timersKey, id));
      return record === null ? null : (readAll([record])[0] ?? null);
    },

    /** The timers that ring at the speaker's place. Without a speaker, all ringing timers. */
    async ringing(speaker?: Place): Promise<Timer[]> {
      const found = (await all()).filter(({ state }) => state === 'ringing');
      if (speaker === undefined || found.length === 0) return found;
      const connected = readConnected(
        await onRedis(redis, () => redis.hgetall(connectedKey)),
        clock.steady(),
      );
      return found.filter((timer) => ringsWhere(timer, speaker, { connected, isQuiet: isQuiet() }));
    },
  };
}
