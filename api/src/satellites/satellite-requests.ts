import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';

/** Requests for the process that holds a satellite's connection. */
const orderChannel = 'hearth:satellite-orders';
/** Responses for the process that asked. */
const outcomeChannel = 'hearth:satellite-outcomes';

const orderSchema = z.object({
  id: z.string(),
  client: z.string(),
  /** `level`: returns its microphone level. `sound`: plays a short sound. */
  want: z.enum(['level', 'sound']),
});
const outcomeSchema = z.object({
  id: z.string(),
  /** Null: not known yet. */
  level: z.object({ db: z.number(), by: z.enum(['server', 'satellite']) }).nullable(),
  /** The sound is being played. */
  isPlaying: z.boolean(),
});

export type SatelliteOrder = Omit<z.infer<typeof orderSchema>, 'id'>;
export type SatelliteOutcome = Omit<z.infer<typeof outcomeSchema>, 'id'>;

interface SatelliteRequestsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** Timeout after which the satellite counts as disconnected. */
  maxWaitMs: number;
  onBadEvent: (error: Error) => void;
}

export type SatelliteRequests = ReturnType<typeof createSatelliteRequests>;

/** Sends requests to a satellite, whichever process holds it. */
export function createSatelliteRequests({
  redis,
  subscriber,
  maxWaitMs,
  onBadEvent,
}: SatelliteRequestsOptions) {
  const open = new Map<string, (outcome: SatelliteOutcome) => void>();
  subscribeToMessages({
    ...{ subscriber, channel: outcomeChannel, schema: outcomeSchema, onError: onBadEvent },
    onNews: ({ id, ...outcome }) => open.get(id)?.(outcome),
  });
  return {
    /** Null: no process has a satellite of this name. */
    async ask(order: SatelliteOrder): Promise<SatelliteOutcome | null> {
      const id = randomUUID();
      const answered = Promise.withResolvers<SatelliteOutcome | null>();
      const patience = setTimeout(() => answered.resolve(null), maxWaitMs);
      open.set(id, answered.resolve);
      try {
        const message = JSON.stringify({ ...order, id });
        await onRedis(redis, () => redis.publish(channelOn(redis, orderChannel), message));
        return await answered.promise;
      } finally {
        clearTimeout(patience);
        open.delete(id);
      }
    },
  };
}

interface FollowOptions extends Omit<SatelliteRequestsOptions, 'maxWaitMs'> {
  /** Runs the request on a satellite of this process. Null: it is not connected here. */
  onOrder: (order: SatelliteOrder) => SatelliteOutcome | null;
}

/** Receives requests for the satellites of this process. */
export function followSatelliteOrders({ redis, subscriber, onOrder, onBadEvent }: FollowOptions): void {
  subscribeToMessages({
    ...{ subscriber, channel: orderChannel, schema: orderSchema, onError: onBadEvent },
    onNews: ({ id, ...order }) => {
      const outcome = onOrder(order);
      if (outcome === null) return;
      const message = JSON.stringify({ id, ...outcome });
      onRedis(redis, () => redis.publish(channelOn(redis, outcomeChannel), message)).catch(onBadEvent);
    },
  });
}
