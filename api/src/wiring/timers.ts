import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { createRingJobs } from '../jobs/chain.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import type { Settings } from '../settings/settings.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { createTimerSweep } from '../timers/timer-sweep.ts';

interface TimerWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  queues: Queues;
  settings: Settings;
  sweepEveryMs: number | undefined;
}

/** The timers of a worker, and the sweep that sees to it that each of them rings. */
export function wireTimers({ config, log, redis, queues, settings, sweepEveryMs }: TimerWiring) {
  const jobs = createRingJobs({ redis, queues });
  const isQuiet = createQuietHours({ timeZone: config.timeZone, settings: settings.current });
  const timers = createTimerStore({ redis, jobs, isQuiet });
  const sweep = createTimerSweep({
    timers,
    hasJob: jobs.has,
    ringMs: () => settings.current().ring_minutes * 60_000,
    log,
    ...(sweepEveryMs !== undefined && { everyMs: sweepEveryMs }),
  });
  redis.on('ready', sweep.look);
  return { timers, sweep };
}
