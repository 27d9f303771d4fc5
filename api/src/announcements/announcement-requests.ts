import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';
import { onRedis } from '../redis/redis.ts';
import { announcementPlaceSchema } from './announcement.ts';

/** Announcements for the processes that hold the satellites. */
const orderChannel = 'hearth:announcements';
/** Outcomes for the process that asked. */
const outcomeChannel = 'hearth:announcement-outcomes';

const orderSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** The tag of its language. Undefined: the household's first one. */
  language: z.string().optional(),
  sessions: z.array(z.string()),
  from: announcementPlaceSchema.nullable(),
});

const outcomeSchema = z.object({
  id: z.string(),
  session: z.string(),
  /**
   * `waiting`: played once the room is free. `playing`: its sound is being sent. `failed`: it will not be
   * played.
   */
  state: z.enum(['waiting', 'playing', 'failed']),
});

/** An announcement for satellites to play. */
export type AnnouncementOrder = z.infer<typeof orderSchema>;
export type AnnouncementState = z.infer<typeof outcomeSchema>['state'];

interface AnnouncementRequestsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** Timeout for all satellites. One without any answer by then counts as disconnected. */
  maxWaitMs: number;
  onBadEvent: (error: Error) => void;
}

interface Open {
  states: Map<string, AnnouncementState>;
  onNews: () => void;
}

/** Sends announcements to the processes that hold the satellites, and receives the outcomes. */
export function createAnnouncementRequests(options: AnnouncementRequestsOptions) {
  const { redis, subscriber, maxWaitMs, onBadEvent } = options;
  const open = new Map<string, Open>();
  subscribeToMessages({
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
    /**
     * Resolves with the state of each session, once all are settled or after the timeout. A missing session
     * has not answered.
     */
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
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  /** Plays it on the satellites of this process, and reports each change of state. */
  onOrder: (order: AnnouncementOrder, tell: (session: string, state: AnnouncementState) => void) => void;
  onBadEvent: (error: Error) => void;
}

/** Receives announcements for the satellites of this process. */
export function followAnnouncements({ redis, subscriber, onOrder, onBadEvent }: FollowOptions): void {
  const tell = async (id: string, session: string, state: AnnouncementState): Promise<void> => {
    const outcome = JSON.stringify({ id, session, state });
    await onRedis(redis, () => redis.publish(channelOn(redis, outcomeChannel), outcome));
  };
  subscribeToMessages({
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
