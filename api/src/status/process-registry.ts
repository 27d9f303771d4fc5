import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';

const beatSchema = z.object({
  /** Id of the process in its log lines. */
  instance: z.string(),
  process: z.enum(['api', 'worker']),
  /** Unix time in ms. */
  startedAt: z.number(),
  /** It takes no new work, and ends when the running work is done. */
  draining: z.boolean(),
  /** Number of running turns or jobs. */
  busy: z.number(),
  satellites: z.number(),
  residentBytes: z.number(),
  /** How far its machine's clock is ahead of Redis' clock. Null: unknown. Missing in earlier versions. */
  clockAheadMs: z.number().nullable().optional(),
  /** The name of its machine. */
  machine: z.string().optional(),
});

/** The message that every process sends about itself once a second. */
export type ProcessBeat = z.infer<typeof beatSchema>;

const channel = 'hearth:processes';
/** Silence after which a process counts as dead. An engine that uses every core delays some beats. */
const aliveMs = 5_000;
/** Time in which a restarting process should be back. */
const returnMs = 30_000;

interface RegistryOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
  /** Start of the time without a suspension, by `performance.now`. Earlier, the process received nothing. */
  awakeSince?: () => number;
}

export type ProcessRegistry = ReturnType<typeof createProcessRegistry>;

/**
 * Tracks which processes of the household are alive. Silence is measured on the local clock, so clocks need
 * not agree.
 */
export function createProcessRegistry(options: RegistryOptions) {
  const { redis, subscriber, onBadEvent, awakeSince = () => 0 } = options;
  const seen = new Map<string, { beat: ProcessBeat; at: number }>();

  subscribeToMessages({
    subscriber,
    channel,
    schema: beatSchema,
    onNews: (beat) => seen.set(beat.instance, { beat, at: performance.now() }),
    onError: onBadEvent,
  });

  /** Silence counts only while this process could receive messages. */
  const silentMs = (at: number): number => performance.now() - Math.max(at, awakeSince());
  const aliveWithin = (ms: number): ProcessBeat[] => {
    for (const [instance, { at }] of seen) if (silentMs(at) > returnMs) seen.delete(instance);
    return [...seen.values()].flatMap(({ beat, at }) => (silentMs(at) <= ms ? [beat] : []));
  };

  return {
    /** Live processes, ordered by start time. */
    alive: (): ProcessBeat[] => aliveWithin(aliveMs).sort((one, other) => one.startedAt - other.startedAt),
    /** Whether a process of this kind is restarting. */
    isExpectedBack: (process: ProcessBeat['process']): boolean =>
      aliveWithin(returnMs).some((beat) => beat.process === process && beat.draining),
    async tell(beat: ProcessBeat): Promise<void> {
      if (redis.status === 'ready') await redis.publish(channelOn(redis, channel), JSON.stringify(beat));
    },
  };
}
