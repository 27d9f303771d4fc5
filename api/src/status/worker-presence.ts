import type { Redis } from 'ioredis';
import { z } from 'zod';
import { hearChannel } from '../redis/channel.ts';

/** In front of a worker's id: the channel that it listens to for as long as it lives. */
export const presencePrefix = 'hearth:worker:';
const lookEveryMs = 250;
/** A worker whose own connection breaks is back sooner. */
const goneAfterMs = 400;
/** After an outage of Redis every process finds its way back within this. */
const returnMs = 2_000;
const forgottenAfterMs = 60_000;

const countsSchema = z.array(z.union([z.string(), z.number()]));

interface ShowOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  workerId: string;
  onError: (error: Error) => void;
}

/**
 * Shows that a worker is there: it listens to a channel on which nobody speaks. When its process ends, the system closes the connection, and Redis
 * counts one listener less at once. Resolves when Redis knows.
 */
export function showPresence({ subscriber, workerId, onError }: ShowOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = `${presencePrefix}${workerId}`;
  // The id is nobody else's, so the channel needs no database in its name, and scripts can count its listeners.
  hearChannel({
    ...{ subscriber, channel, isPrivate: true },
    ...{ onMessage: () => undefined, onListening: resolve, onError },
  });
  return promise;
}

interface WatchOptions {
  redis: Redis;
  now?: () => number;
}

interface Seen {
  /** One of an older version never is. Only a worker that was there can leave. */
  wasThere: boolean;
  /** By this process's own clock; null: it is there, or nothing is known. */
  awaySince: number | null;
}

export type WorkerPresence = ReturnType<typeof watchPresence>;

/** Which of the workers that gave a sign of life have left since. It shows within a second, where their silence takes five. */
export function watchPresence({ redis, now = () => performance.now() }: WatchOptions) {
  const seen = new Map<string, Seen>();
  let trustedFrom = Number.NEGATIVE_INFINITY;

  const note = (id: string, worker: Seen, isThere: boolean): void => {
    if (isThere) seen.set(id, { wasThere: true, awaySince: null });
    else worker.awaySince ??= now();
    if (worker.awaySince !== null && now() - worker.awaySince > forgottenAfterMs) seen.delete(id);
  };
  const look = async (): Promise<void> => {
    const workers = [...seen];
    if (workers.length === 0 || redis.status !== 'ready') return;
    const told = await redis.pubsub('NUMSUB', ...workers.map(([id]) => `${presencePrefix}${id}`));
    const counts = countsSchema.parse(told);
    for (const [index, [id, worker]] of workers.entries())
      note(id, worker, Number(counts[2 * index + 1]) > 0);
  };
  // A Redis that does not tell leaves it to the silence of the workers.
  const lookAgain = () => void look().catch(() => undefined);
  const timer = setInterval(lookAgain, lookEveryMs).unref();
  redis.on('close', () => {
    trustedFrom = Number.POSITIVE_INFINITY;
    for (const worker of seen.values()) worker.awaySince = null;
  });
  redis.on('ready', () => {
    trustedFrom = trustedFrom === Number.POSITIVE_INFINITY ? now() + returnMs : trustedFrom;
  });

  return {
    /** A worker has given a sign of life. */
    follow(workerId: string): void {
      if (seen.has(workerId)) return;
      seen.set(workerId, { wasThere: false, awaySince: null });
      // At once: it may be gone before the next look.
      lookAgain();
    },
    /** Whether its process has ended, or its machine cannot reach Redis any more. */
    hasLeft(workerId: string): boolean {
      const { wasThere = false, awaySince = null } = seen.get(workerId) ?? {};
      if (!wasThere || awaySince === null) return false;
      return now() - Math.max(awaySince, trustedFrom) > goneAfterMs;
    },
    stop: () => clearInterval(timer),
  };
}
