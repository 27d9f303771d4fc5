import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import type { Settings } from '../settings/settings.ts';
import { createRingJobs } from '../timers/ring-jobs.ts';
import { followTimers } from '../timers/timer-news.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { createTimerSweep, type SweepCommands } from '../timers/timer-sweep.ts';
import { createZoneChange } from '../timers/zone-change.ts';

interface TimerWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  subscriber: Redis;
  onError: (error: Error) => void;
  queues: Queues;
  settings: Settings;
  sweepIntervalMs: number | undefined;
  clock: HouseholdClock;
  commands: SweepCommands;
}

/** The timers of a worker, and the sweep that guarantees that they ring. */
export function wireTimers(options: TimerWiring) {
  const { config, log, redis, subscriber, onError, queues, settings, sweepIntervalMs, clock, commands } =
    options;
  const jobs = createRingJobs({ redis, queues, clock });
  const isQuiet = createQuietHours({
    timeZone: config.timeZone,
    settings: settings.current,
    now: clock.now,
  });
  const timers = createTimerStore({ redis, jobs, isQuiet, clock });
  const sweep = createTimerSweep({
    timers,
    commands,
    ringMs: () => settings.current().ring_minutes * 60_000,
    log,
    clock,
    ...(sweepIntervalMs !== undefined && { intervalMs: sweepIntervalMs }),
  });
  const followZone = createZoneChange({ redis, jobs, timers, timeZone: config.timeZone, clock });
  redis.on('ready', () => {
    // The sweep does not depend on it. It is retried at the next start.
    void followZone()
      .then((count) => count > 0 && log.info({ count }, 'alarms moved to the new time zone'))
      .catch((error) => log.warn({ err: error }, 'cannot move the alarms to the new time zone'))
      .finally(sweep.checkAll);
  });
  followTimers({ subscriber, onNews: sweep.onNews, onReady: sweep.checkAll, onBadEvent: onError });
  return { timers, sweep };
}
