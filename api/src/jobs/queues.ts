import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { keyPrefix } from '../redis/keys.ts';
import { withUnsavedScripts } from '../redis/unsaved.ts';
import { engineNames } from '../status/engine-status.ts';
import type { Turn } from '../turn/turn.ts';

/** The prefix of all BullMQ keys in Redis. */
export const queuePrefix = keyPrefix;

/** Jobs carry ids, never words or sound. People's words stay in the turn's record, which expires. */
export const turnPayload = z.object({
  turnId: z.string(),
  /** The conversation that its stage reads. Undefined: none. */
  conversation: z.string().optional(),
});
type TurnPayload = z.infer<typeof turnPayload>;

/** Includes the conversation's name, so that the worker can read it while it takes the turn. */
export function turnPayloadOf({ id, conversation }: Turn): TurnPayload {
  return { turnId: id, ...(conversation !== null && { conversation }) };
}

/** A sentence to speak, from a turn's reply or a separate one. */
export const sentencePayload = z.object({
  turnId: z.string(),
  seq: z.number(),
  replyTo: z.string(),
  /** Deadline in ms of the household's steady time. */
  deadlineAt: z.number(),
  /** The revision of the settings. */
  revision: z.number(),
  /** The tag of its language. */
  language: z.string().optional(),
});
export type SentencePayload = z.infer<typeof sentencePayload>;

/** Sound to transcribe while the person still speaks. */
export const partialPayload = z.object({
  overheardId: z.string(),
  room: z.string().nullable(),
  replyTo: z.string(),
  deadlineAt: z.number(),
  revision: z.number(),
  /** The tag of the room's language. */
  language: z.string().optional(),
  /** The wake words, if one was detected in this sound. */
  calledBy: z.array(z.string()).optional(),
});
export type PartialPayload = z.infer<typeof partialPayload>;

/** A conversation to preload into the language model, and the speaker's room. */
export const warmPayload = z.object({
  conversation: z.string(),
  room: z.string().nullable(),
  language: z.string().optional(),
  deadlineAt: z.number(),
  revision: z.number(),
});
export type WarmPayload = z.infer<typeof warmPayload>;

/** A timer that becomes due. */
export const ringPayload = z.object({ timerId: z.string() });
export type RingPayload = z.infer<typeof ringPayload>;

/** Kinds of calls to a worker. */
const workerCalls = [
  'hear',
  'speak',
  'speak-fallback',
  'transcribe',
  'say',
  'load',
  'unload',
  'home',
  'try-home',
  'things',
  'area',
  'play-at-home',
  'hush-at-home',
  'lists',
  'routines',
  'sentences',
  'take-back',
] as const;

/** A request to a worker outside the turns: a health check, a client's transcription, a model to load. */
export const callPayload = z.object({
  callId: z.string(),
  what: z.enum(workerCalls),
  engine: z.enum([...engineNames, 'home']),
  /** The model to load or unload, if the server has several. */
  model: z.string().nullable(),
  /** The voice, its speed and its language. Default: the household's settings. */
  manner: z
    .object({ voice: z.string().nullable(), speed: z.number(), language: z.string().optional() })
    .optional(),
  replyTo: z.string(),
  deadlineAt: z.number(),
});
export type CallPayload = z.infer<typeof callPayload>;

interface QueueRules {
  /** Maximum number of jobs per worker. The engine's capacity limits all workers together. */
  perWorker: number;
  /**
   * How often a job moves to another worker after its worker has died. Repeating speech is harmless. An
   * answer never restarts, because a late or double answer is worse than an error.
   */
  rescues: number;
}

/**
 * The stages of a turn. `respond` runs the responders without a model and is never full. In `think`, other
 * questions wait for a free slot of the language model.
 */
export const queues = {
  transcribe: { perWorker: 16, rescues: 1 },
  respond: { perWorker: 64, rescues: 1 },
  think: { perWorker: 64, rescues: 1 },
  speak: { perWorker: 16, rescues: 1 },
  // A timer rings once, however often its job runs.
  ring: { perWorker: 8, rescues: 3 },
} as const satisfies Record<string, QueueRules>;
export type QueueName = keyof typeof queues;

/** Rules for every queue. */
export const queueRules = {
  /** These two detect a worker that hangs. A dead worker is detected at once. */
  lockMs: 5_000,
  stalledCheckMs: 2_000,
  /** Stall count at which BullMQ fails a job itself. High, so that we decide. */
  neverByItself: 1_000,
  /** BullMQ's default of 15 s would delay questions long after Redis is back. */
  redisRetryMs: 1_000,
  /** Maximum blocking time per command. It bounds how long a dead connection goes unnoticed. */
  blockS: 2,
  /** Retries for a job that failed because Redis was unavailable. */
  again: { attempts: 4, backoff: { type: 'fixed', delay: 500 } },
  /**
   * Beyond this, a new question is rejected at once instead of being answered late. The limit applies
   * separately to recordings waiting for recognition, questions waiting for the language model, and all
   * others.
   */
  maxWaiting: 64,
} as const;

/** Lower comes first. People who speak are waiting; people who type look at a screen. */
export const priorities = { listen: 5, voice: 10, wyoming: 10, ask: 20, chat: 20 } as const satisfies Record<
  Turn['source'],
  number
>;
/** For work that only runs when nothing else waits. */
export const idlePriority = 100;

export interface Queues {
  transcribe: Queue<TurnPayload | PartialPayload | CallPayload>;
  respond: Queue<TurnPayload | CallPayload>;
  think: Queue<TurnPayload | WarmPayload>;
  speak: Queue<SentencePayload | CallPayload>;
  ring: Queue<RingPayload>;
}

interface QueueOptions {
  redis: Redis;
  onError: (error: Error) => void;
}

/** Number of waiting, running and delayed jobs in each queue. */
export async function queueDepths(queues: Queues) {
  const counted = Object.entries(queues).map(async ([queue, ends]: [string, Pick<Queue, 'getJobCounts'>]) => {
    const counts = await ends.getJobCounts('active', 'wait', 'prioritized', 'delayed');
    const { active = 0, wait = 0, prioritized = 0, delayed = 0 } = counts;
    return [
      { queue, state: 'running', count: active },
      { queue, state: 'waiting', count: wait + prioritized },
      { queue, state: 'delayed', count: delayed },
    ];
  });
  return (await Promise.all(counted)).flat();
}

/**
 * Opens the queues for adding jobs. Jobs are not persisted: a Redis crash ends running work, and timers
 * survive in their records. Finished jobs are kept only to inspect the recent past.
 */
export function openQueues({ redis, onError }: QueueOptions): Queues {
  const connection = withUnsavedScripts(redis);
  const open = <Payload>(name: QueueName): Queue<Payload> => {
    const queue: Queue<Payload> = new Queue(name, {
      connection,
      prefix: queuePrefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: 200 } },
      defaultJobOptions: {
        ...queueRules.again,
        removeOnComplete: { count: 200 },
        removeOnFail: { count: 200 },
      },
    });
    queue.on('error', onError);
    return queue;
  };
  return {
    transcribe: open('transcribe'),
    respond: open('respond'),
    think: open('think'),
    speak: open('speak'),
    ring: open('ring'),
  };
}
