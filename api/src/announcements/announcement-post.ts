import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, hearNews } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';
import { spotSchema } from './announcement.ts';

/** What is to be said, for the processes whose satellites are to say it. */
const orderChannel = 'hearth:announcements';
/** What became of it, for the process that asked. */
const outcomeChannel = 'hearth:announcement-outcomes';

const orderSchema = z.object({
  id: z.string(),
  text: z.string(),
  sessions: z.array(z.string()),
  from: spotSchema.nullable(),
});

const outcomeSchema = z.object({
  id: z.string(),
  session: z.string(),
  /** `waiting`: said as soon as the room is free. `playing`: its sound is on its way. `failed`: it will not be said. */
  state: z.enum(['waiting', 'playing', 'failed']),
});

/** Something that satellites are to say. */
export type AnnouncementOrder = z.infer<typeof orderSchema>;
export type AnnouncementState = z.infer<typeof outcomeSchema>['state'];

interface AnnouncementPostOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** No satellite is waited for any longer, and one of which nothing was heard does not exist any more. */
  maxWaitMs: number;
  onBadEvent: (error: Error) => void;
}

interface Open {
  states: Map<string, AnnouncementState>;
  onNews: () => void;
}

/** Sends announcements to the processes that hold the satellites, and hears what became of them. */
export function createAnnouncementPost(options: AnnouncementPostOptions) {
  const { redis, subscriber, maxWaitMs, onBadEvent } = options;
  const open = new Map<string, Open>();
  hearNews({
    subscriber,
    channel: outcomeChannel,
    schema: outcomeSchema,
    onNews: ({ id, session, state }) => {
      open.get(id)?.states.set(session, state);
      open.get(id)?.onNews();
    },
    onError: onBadEvent,
  });

  return {
    /** Resolves with what is known of each session when all say it, or after the longest wait. One that is not named has not answered. */
    async send(order: Omit<AnnouncementOrder, 'id'>): Promise<ReadonlyMap<string, AnnouncementState>> {
      const id = randomUUID();
      const states = new Map<string, AnnouncementState>();
      const settled = Promise.withResolvers<void>();
      const onNews = (): void => {
        if (order.sessions.every((session) => isSettled(states.get(session)))) settled.resolve();
      };
      const patience = setTimeout(settled.resolve, maxWaitMs);
      open.set(id, { states, onNews });
      try {
        const message = JSON.stringify({ ...order, id } satisfies AnnouncementOrder);
        await onRedis(redis, () => redis.publish(channelOn(redis, orderChannel), message));
        await settled.promise;
      } finally {
        clearTimeout(patience);
        open.delete(id);
      }
      return states;
    },
  };
}

function isSettled(state: AnnouncementState | undefined): boolean {
  return state === 'playing' || state === 'failed';
}

interface FollowOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  /** Says it on the satellites of this process, and tells each time more is known of one. */
  onOrder: (order: AnnouncementOrder, tell: (session: string, state: AnnouncementState) => void) => void;
  onBadEvent: (error: Error) => void;
}

/** Hears what satellites are to say. */
export function followAnnouncements({ redis, subscriber, onOrder, onBadEvent }: FollowOptions): void {
  const tell = async (id: string, session: string, state: AnnouncementState): Promise<void> => {
    const outcome = JSON.stringify({ id, session, state });
    await onRedis(redis, () => redis.publish(channelOn(redis, outcomeChannel), outcome));
  };
  hearNews({
    subscriber,
    channel: orderChannel,
    schema: orderSchema,
    onNews: (order) =>
      onOrder(order, (session, state) => {
        tell(order.id, session, state).catch(onBadEvent);
      }),
    onError: onBadEvent,
  });
}
