import type { Redis } from 'ioredis';
import { z } from 'zod';
import { subscribeToChannel } from '../redis/channel.ts';

/** Prefix of a worker's presence channel, which it subscribes to while it lives. */
export const presencePrefix = 'hearth:worker:';
const pollIntervalMs = 250;
/** A worker that only lost its connection is back sooner. */
const goneAfterMs = 400;
/** After a Redis outage, every process reconnects within this time. */
const returnMs = 2_000;
const forgottenAfterMs = 60_000;

const countsSchema = z.array(z.union([z.string(), z.number()]));

interface ShowOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  workerId: string;
  onError: (error: Error) => void;
}

/**
 * Announces a worker by subscribing to an empty channel. When its process ends, the system closes the
 * connection and Redis drops the subscriber at once. Resolves once subscribed.
 */
export function showPresence({ subscriber, workerId, onError }: ShowOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = `${presencePrefix}${workerId}`;
  // Worker ids are unique, so the channel needs no database suffix, and scripts can count its subscribers.
  subscribeToChannel({
    ...{ subscriber, channel, isPrivate: true },
    ...{ onMessage: () => undefined, onListening: resolve, onError },
  });
  return promise;
}

interface WatchOptions {
  redis: Redis;
}

interface Seen {
  /** Never true for older versions. Only a worker that was present can leave. */
  wasThere: boolean;
  /** Local time since its absence. Null: it is present, or its state is unknown. */
  awaySince: number | null;
}

export type WorkerPresence = ReturnType<typeof watchPresence>;

/** Detects which known workers have left, within a second. Missing heartbeats would take five. */
export function watchPresence({ redis }: WatchOptions) {
  const seen = new Map<string, Seen>();
  let trustedFrom = Number.NEGATIVE_INFINITY;

  const note = (id: string, worker: Seen, isThere: boolean): void => {
    if (isThere) seen.set(id, { wasThere: true, awaySince: null });
    else worker.awaySince ??= performance.now();
    if (worker.awaySince !== null && performance.now() - worker.awaySince > forgottenAfterMs) seen.delete(id);
  };
  const look = async (): Promise<void> => {
    const workers = [...seen];
    if (workers.length === 0 || redis.status !== 'ready') return;
    const reply = await redis.pubsub('NUMSUB', ...workers.map(([id]) => `${presencePrefix}${id}`));
    const counts = countsSchema.parse(reply);
    for (const [index, [id, worker]] of workers.entries())
      note(id, worker, Number(counts[2 * index + 1]) > 0);
  };
  // On failure, missing heartbeats still reveal dead workers.
  const lookAgain = () => void look().catch(() => undefined);
  const timer = setInterval(lookAgain, pollIntervalMs).unref();
  redis.on('close', () => {
    trustedFrom = Number.POSITIVE_INFINITY;
    for (const worker of seen.values()) worker.awaySince = null;
  });
  redis.on('ready', () => {
    trustedFrom = trustedFrom === Number.POSITIVE_INFINITY ? performance.now() + returnMs : trustedFrom;
  });

  return {
    /** A worker has sent a heartbeat or taken a turn. */
    follow(workerId: string): void {
      if (seen.has(workerId)) return;
      seen.set(workerId, { wasThere: false, awaySince: null });
      // At once, because it may be gone before the next check.
      lookAgain();
    },
    /** Whether its process has ended, or its machine has lost Redis. */
    hasLeft(workerId: string): boolean {
      const { wasThere = false, awaySince = null } = seen.get(workerId) ?? {};
      if (!wasThere || awaySince === null) return false;
      return performance.now() - Math.max(awaySince, trustedFrom) > goneAfterMs;
    },
    stop: () => clearInterval(timer),
  };
}
