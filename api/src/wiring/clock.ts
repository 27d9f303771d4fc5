import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { createHouseholdClock, type StoredClock } from '../redis/household-clock.ts';

/** A larger difference between clocks is logged. */
const maxAheadMs = 2_000;
const pollIntervalMs = 5_000;

/** The household's clock in a process. Logs clock steps, and a wrong clock on this machine. */
export function wireClock(redis: Redis, log: Logger): StoredClock {
  const clock = createHouseholdClock({
    redis,
    onStep: (byMs) => log.warn({ byMs }, 'system clock changed; timers keep their length'),
  });
  let wasOff = false;
  const look = setInterval(() => {
    const aheadMs = Math.round(clock.aheadMs() ?? 0);
    const isOff = Math.abs(aheadMs) > maxAheadMs;
    if (isOff && !wasOff) log.warn({ aheadMs }, 'system clock differs from the clock of Redis');
    if (!isOff && wasOff) log.info('system clock agrees with the clock of Redis again');
    wasOff = isOff;
  }, pollIntervalMs).unref();
  return {
    ...clock,
    stop: () => {
      clearInterval(look);
      clock.stop();
    },
  };
}
