import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import type { KeptClock } from '../redis/household-clock.ts';
import { createRestarts } from '../restart/restarts.ts';
import { createProcessRoll, type ProcessBeat } from '../status/process-roll.ts';

const beatEveryMs = 1_000;

interface ProcessWiring {
  redis: Redis;
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
  log: Logger;
  kind: ProcessBeat['process'];
  /** Names the process in its log lines. */
  instance: string;
  /** Turns or jobs in hand. */
  busy: () => number;
  satellites?: () => number;
  clock: Pick<KeptClock, 'aheadMs'>;
  awakeSince?: () => number;
}

export type RunningProcess = ReturnType<typeof wireProcess>;

/** The messages of a process about itself, and the orders to start anew. */
export function wireProcess(options: ProcessWiring) {
  const { redis, subscriber, onBadEvent, log, kind, instance, busy, satellites = () => 0, clock } = options;
  const startedAt = Date.now();
  const { promise: restartAsked, resolve } = Promise.withResolvers<void>();
  let isDraining = false;

  const roll = createProcessRoll({
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
  const beat = () => roll.tell(own()).catch(() => undefined); // whoever misses it is told by the next
  const restarts = createRestarts({
    redis,
    subscriber,
    kind,
    instance,
    roll,
    onTurn: () => {
      isDraining = true;
      void beat();
      log.info({ busy: busy() }, 'a restart was asked for: nothing new is taken');
      resolve();
    },
    onLeftOut: (reason) => log.warn({ reason }, 'a restart was asked for and left out'),
  });
  const pulse = setInterval(beat, beatEveryMs).unref();
  redis.once('ready', () => void beat());

  return {
    roll,
    restarts,
    own,
    isDraining: () => isDraining,
    /** Resolves when it is this process's turn to start anew. */
    restartAsked,
    stop: () => clearInterval(pulse),
  };
}

function roundedOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
