import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import type { CheckLock } from './check.ts';

const lockKey = keys.check.of();
/**
 * The lock expires after this without renewal: its process died, or it was acquired after the caller had
 * given up.
 */
const lockMs = 10_000;

const ifHeld = (then: string) => `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return ${then}`;
const keepScript = ifHeld("redis.call('PEXPIRE', KEYS[1], ARGV[2])");
const giveScript = ifHeld("redis.call('DEL', KEYS[1])");

/** A lock across all api processes, so that only one runs a check. */
export function createCheckLock({ redis }: { redis: Redis }): CheckLock {
  return {
    async take(id) {
      const holder = await redis.set(lockKey, id, 'PX', lockMs, 'NX', 'GET');
      return holder ?? id;
    },
    holder: () => redis.get(lockKey),
    async keep(id) {
      await redis.eval(keepScript, 1, lockKey, id, lockMs);
    },
    async give(id) {
      await redis.eval(giveScript, 1, lockKey, id);
    },
  };
}

/** Claims a night. True for exactly one process. */
export async function takeNight(
  redis: Redis,
  night: string,
  { of: keyOf, lastsS }: Pick<typeof keys.checkNight, 'of' | 'lastsS'> = keys.checkNight,
): Promise<boolean> {
  return (await redis.set(keyOf(night), '1', 'EX', lastsS, 'NX')) === 'OK';
}
