import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import type { StoredClock } from '../redis/household-clock.ts';
import { createRestarts } from '../restart/restarts.ts';
import { createProcessRegistry, type ProcessBeat } from '../status/process-registry.ts';

const beatEveryMs = 1_000;

interface ProcessWiring {
  redis: Redis;
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
  log: Logger;
  kind: ProcessBeat['process'];
  /** Id of the process in its log lines. */
  instance: string;
  /** Number of running turns or jobs. */
  busy: () => number;
  satellites?: () => number;
  clock: Pick<StoredClock, 'aheadMs'>;
  awakeSince?: () => number;
}

/** The status messages of a process, and its restarts. */
export function wireProcess(options: ProcessWiring) {
  const { redis, subscriber, onBadEvent, log, kind, instance, busy, satellites = () => 0, clock } = options;
  const startedAt = Date.now();
  const { promise: restartAsked, resolve } = Promise.withResolvers<void>();
  let isDraining = false;

  const registry = createProcessRegistry({
    redis,
    subscriber,
    onBadEvent,
    ...(options.awakeSince && { awakeSince: options.awakeSince }),
  });
  const own = (): ProcessBeat => ({
    instance,
    process: kind,
    startedAt,
    draining: isDraining,
    busy: busy(),
    satellites: satellites(),
    residentBytes: process.memoryUsage.rss(),
    clockAheadMs: roundedOrNull(clock.aheadMs()),
    machine: hostname(),
  });
  const beat = () => registry.tell(own()).catch(() => undefined); // the next beat makes up for a lost one
  const restarts = createRestarts({
    redis,
    subscriber,
    kind,
    instance,
    registry,
    onTurn: () => {
      isDraining = true;
      void beat();
      log.info({ busy: busy() }, 'restart requested: taking no new work');
      resolve();
    },
    onLeftOut: (reason) => log.warn({ reason }, 'restart requested and skipped'),
  });
  const pulse = setInterval(beat, beatEveryMs).unref();
  redis.once('ready', () => void beat());

  return {
    registry,
    restarts,
    own,
    isDraining: () => isDraining,
    /** Resolves when this process should restart. */
    restartAsked,
    stop: () => clearInterval(pulse),
  };
}

function roundedOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
