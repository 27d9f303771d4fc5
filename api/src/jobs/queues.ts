import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';

/** The prefix of all that BullMQ keeps in Redis. */
export const queuePrefix = 'hearth';

/** Jobs carry ids, never words or sound: what people say stays in the turn's record, which ends by itself. */
export const turnPayload = z.object({ turnId: z.string() });
export type TurnPayload = z.infer<typeof turnPayload>;

/**
 * How a job is worked on. A worker that dies is noticed within seconds, and its job fails instead of being done again: an answer given
 * twice, or late, is worse than an honest error.
 */
export const respondQueue = {
  name: 'respond',
  /** Questions that one worker takes in hand; the engine's own capacity is a limit over all workers. */
  concurrencyPerWorker: 64,
  lockMs: 5_000,
  stalledCheckMs: 2_000,
  /** BullMQ's own 15 s would leave questions waiting long after Redis is back. */
  redisRetryMs: 1_000,
  /** Longest wait for a job in one command: so long a dead connection may go unnoticed, and a little longer. */
  blockS: 2,
  /** Beyond this a new question is refused at once rather than answered late. */
  mostWaiting: 64,
  /** Lower is sooner. Room is left below for what is spoken. */
  priority: 20,
} as const;

interface QueueOptions {
  redis: Redis;
  onError: (error: Error) => void;
}

export type RespondQueue = Queue<TurnPayload>;

/** The producing end. Finished jobs are kept only for a look at what happened lately. */
export function openRespondQueue({ redis, onError }: QueueOptions): RespondQueue {
  const queue: RespondQueue = new Queue(respondQueue.name, {
    connection: redis,
    prefix: queuePrefix,
    skipVersionCheck: true,
    streams: { events: { maxLen: 200 } },
    defaultJobOptions: { removeOnComplete: { count: 200 }, removeOnFail: { count: 200 } },
  });
  queue.on('error', onError);
  return queue;
}
