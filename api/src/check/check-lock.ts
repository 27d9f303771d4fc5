import type { Redis } from 'ioredis';
import type { CheckLock } from './check.ts';

const lockKey = 'hearth:check';
/** Longer than any check takes; what a process that died holds comes free after it. */
const lockMs = 300_000;

/** Among all api processes one checks at a time. */
export function createCheckLock({ redis }: { redis: Redis }): CheckLock {
  return {
    async take(id) {
      const holder = await redis.set(lockKey, id, 'PX', lockMs, 'NX', 'GET');
      return holder ?? id;
    },
    holder: () => redis.get(lockKey),
    async give(id) {
      if ((await redis.get(lockKey)) === id) await redis.del(lockKey);
    },
  };
}

/** True for one process of all, once for each night. */
export async function takeNight(redis: Redis, night: string): Promise<boolean> {
  return (await redis.set(`hearth:check-night:${night}`, '1', 'EX', 48 * 3600, 'NX')) === 'OK';
}
