import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { keyPrefix } from '../redis/keys.ts';
import { withUnsavedScripts } from '../redis/unsaved.ts';
import { engineNames } from '../status/engine-status.ts';
import type { Turn } from '../turn/turn.ts';

/** The prefix of all that BullMQ keeps in Redis. */
export const queuePrefix = keyPrefix;

/** Jobs carry ids, never words or sound. People's words stay in the turn's record, which ends by itself. */
export const turnPayload = z.object({
  turnId: z.string(),
  /** The conversation that its stage reads; left out: none. */
  conversation: z.string().optional(),
});
export type TurnPayload = z.infer<typeof turnPayload>;

/** A sentence to speak: of a turn's reply, or one by itself. */
export const sentencePayload = z.object({
  turnId: z.string(),
  seq: z.number(),
  replyTo: z.string(),
  /** The household's steady time in ms after which nobody wants to hear it any more. */
  deadlineAt: z.number(),
  /** The revision of the settings. */
  revision: z.number(),
});
export type SentencePayload = z.infer<typeof sentencePayload>;

/** A stretch of sound to transcribe while the person still speaks. */
export const partialPayload = z.object({
  overheardId: z.string(),
  room: z.string().nullable(),
  replyTo: z.string(),
  deadlineAt: z.number(),
  revision: z.number(),
});
export type PartialPayload = z.infer<typeof partialPayload>;

/** A conversation that the language model reads before it is asked, and the room of the person who speaks. */
export const warmPayload = z.object({
  conversation: z.string(),
  room: z.string().nullable(),
  deadlineAt: z.number(),
  revision: z.number(),
});
export type WarmPayload = z.infer<typeof warmPayload>;

/** A timer whose time comes. */
export const ringPayload = z.object({ timerId: z.string() });
export type RingPayload = z.infer<typeof ringPayload>;

/** The kinds of work for an engine beside the turns. */
export const probes = [
  'hear',
  'speak',
  'speak-fallback',
  'write-down',
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
] as const;

/**
 * Real work for one engine: to see whether it works and how fast, or for a program that wants a recording written down or a text spoken. Or a model for it
 * to load or unload.
 */
export const probePayload = z.object({
  probeId: z.string(),
  what: z.enum(probes),
  engine: z.enum([...engineNames, 'home']),
  /** The model to load or unload, where the server has several. */
  model: z.string().nullable(),
  /** The voice and its speed; left out: as the household has set them. */
  manner: z.object({ voice: z.string().nullable(), speed: z.number() }).optional(),
  replyTo: z.string(),
  deadlineAt: z.number(),
});
export type ProbePayload = z.infer<typeof probePayload>;

interface QueueRules {
  /** Jobs that one worker takes in hand; the engine's own capacity is a limit over all workers. */
  perWorker: number;
  /**
   * How often a job goes to another worker if its own dies. Sound may be made twice. An answer that was begun is not begun again, for one given
   * twice, or late, is worse than an honest error.
   */
  rescues: number;
}

/**
 * The stages of a turn. `respond` is for the responders that need no model, and is never full. In `think` a question that none of them can
 * answer waits for a free slot of the language model.
 */
export const queues = {
  transcribe: { perWorker: 16, rescues: 1 },
  respond: { perWorker: 64, rescues: 1 },
  think: { perWorker: 64, rescues: 1 },
  speak: { perWorker: 16, rescues: 1 },
  // A timer rings once however often its job runs.
  ring: { perWorker: 8, rescues: 3 },
} as const satisfies Record<string, QueueRules>;
export type QueueName = keyof typeof queues;

/** The same for every queue. */
export const queueRules = {
  /** A worker that hangs is noticed by these two. One that dies is noticed at once. */
  lockMs: 5_000,
  stalledCheckMs: 2_000,
  /** So often BullMQ would have to see a job lose its worker before it gives it up. */
  neverByItself: 1_000,
  /** BullMQ's own 15 s would leave questions waiting long after Redis is back. */
  redisRetryMs: 1_000,
  /** Longest wait for a job in one command. A dead connection goes unnoticed for little more than this. */
  blockS: 2,
  /** For a job that could not even begin because its worker had no connection to Redis yet, or a sentence that Redis did not take. */
  again: { attempts: 4, backoff: { type: 'fixed', delay: 500 } },
  /**
   * Beyond this a new question is refused at once rather than answered late. So many recordings may wait for the speech recognition, so many questions
   * for the language model, and so many others besides: none of them takes the place of another kind.
   */
  maxWaiting: 64,
} as const;

/** Lower is sooner. People who speak stand and wait, people who sent a recording wait too, people who type look at a screen. */
export const priorities = { listen: 5, voice: 10, wyoming: 10, ask: 20, chat: 20 } as const satisfies Record<
  Turn['source'],
  number
>;
/** For work that is done only when there is nothing else to do. */
export const idlePriority = 100;

export interface Queues {
  transcribe: Queue<TurnPayload | PartialPayload | ProbePayload>;
  respond: Queue<TurnPayload | ProbePayload>;
  think: Queue<TurnPayload | WarmPayload>;
  speak: Queue<SentencePayload | ProbePayload>;
  ring: Queue<RingPayload>;
}

interface QueueOptions {
  redis: Redis;
  onError: (error: Error) => void;
}

/** How many jobs of each queue wait, run, or are meant for later. */
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

/** The ends that add jobs. Jobs are not written to the disk: a crash of Redis ends what was in hand, and timers are found by their records. Finished jobs are kept only for a look at the recent past. */
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
