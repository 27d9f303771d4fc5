import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, hearNews } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';

/** What is wanted of a satellite, for the process that holds its connection. */
const orderChannel = 'hearth:satellite-orders';
/** What came of it, for the process that asked. */
const outcomeChannel = 'hearth:satellite-outcomes';

const orderSchema = z.object({
  id: z.string(),
  client: z.string(),
  /** `level`: how loud it is at its microphone. `sound`: it plays a short sound. */
  want: z.enum(['level', 'sound']),
});
const outcomeSchema = z.object({
  id: z.string(),
  /** Null: not known yet. */
  level: z.object({ db: z.number(), by: z.enum(['server', 'satellite']) }).nullable(),
  /** The sound is on its way. */
  isPlaying: z.boolean(),
});

export type SatelliteOrder = Omit<z.infer<typeof orderSchema>, 'id'>;
export type SatelliteOutcome = Omit<z.infer<typeof outcomeSchema>, 'id'>;

interface PostOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** A satellite of which nothing was heard by then is not connected anywhere. */
  maxWaitMs: number;
  onBadEvent: (error: Error) => void;
}

export type SatellitePost = ReturnType<typeof createSatellitePost>;

/** Asks for something of a satellite, whichever process holds it. */
export function createSatellitePost({ redis, subscriber, maxWaitMs, onBadEvent }: PostOptions) {
  const open = new Map<string, (outcome: SatelliteOutcome) => void>();
  hearNews({
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

interface FollowOptions extends Omit<PostOptions, 'maxWaitMs'> {
  /** Does it on the satellite of this process; null: it is not here. */
  onOrder: (order: SatelliteOrder) => SatelliteOutcome | null;
}

/** Hears what is wanted of the satellites of this process. */
export function followSatelliteOrders({ redis, subscriber, onOrder, onBadEvent }: FollowOptions): void {
  hearNews({
    ...{ subscriber, channel: orderChannel, schema: orderSchema, onError: onBadEvent },
    onNews: ({ id, ...order }) => {
      const outcome = onOrder(order);
      if (outcome === null) return;
      const message = JSON.stringify({ id, ...outcome });
      onRedis(redis, () => redis.publish(channelOn(redis, outcomeChannel), message)).catch(onBadEvent);
    },
  });
}
