import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import type { RedisWrites } from '../redis/redis-writes.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { TurnInbox } from '../turn/turn-events.ts';

export interface ReadinessOptions {
  redis: Redis;
  inbox: Pick<TurnInbox, 'ready'>;
  workers: Pick<WorkerRegistry, 'noneAlive'>;
  writes: Pick<RedisWrites, 'away' | 'isSilent'>;
}

/** Throws AppError if new work would get no answer: Redis is unavailable, or no worker is alive. */
export function assertReady({ redis, inbox, workers, writes }: ReadinessOptions): void {
  if (!inbox.ready || redis.status !== 'ready') throw writes.away();
  if (workers.noneAlive()) throw lossOf(writes);
}

/**
 * The failure if no worker sends heartbeats. They come through Redis, so a silent Redis is blamed first.
 */
export function lossOf(writes: ReadinessOptions['writes']): AppError {
  return writes.isSilent ? writes.away() : new AppError('worker_unavailable');
}
