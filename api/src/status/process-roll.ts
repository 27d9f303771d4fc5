import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, hearNews } from '../redis/channel.ts';

const beatSchema = z.object({
  /** Names the process in its log lines. */
  instance: z.string(),
  process: z.enum(['api', 'worker']),
  /** Unix time in ms. */
  startedAt: z.number(),
  /** It takes nothing new and ends when what it has in hand is done. */
  draining: z.boolean(),
  /** Turns or jobs in hand. */
  busy: z.number(),
  satellites: z.number(),
  residentBytes: z.number(),
  /** How far the clock of its machine is ahead of that of Redis; null: it does not know. Earlier versions do not tell. */
  clockAheadMs: z.number().nullable().optional(),
  /** The name of its machine. */
  machine: z.string().optional(),
});

/** The message that every process sends about itself once a second. */
export type ProcessBeat = z.infer<typeof beatSchema>;

const channel = 'hearth:processes';
/** So long a process may be silent and still count: an engine that takes every core delays some beats. */
const aliveMs = 5_000;
/** One that ended to be started again is expected back within this. */
const returnMs = 30_000;

interface RollOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  onBadEvent: (error: Error) => void;
  /** Since when this process has run without standing still, by `now`: before that it could hear nobody. */
  awakeSince?: () => number;
  /** Time that only passes, in ms. */
  now?: () => number;
}

export type ProcessRoll = ReturnType<typeof createProcessRoll>;

/** Which processes of the household are alive. Times of silence are this process's own, so clocks need not agree. */
export function createProcessRoll(options: RollOptions) {
  const { redis, subscriber, onBadEvent, awakeSince = () => 0, now = () => performance.now() } = options;
  const seen = new Map<string, { beat: ProcessBeat; at: number }>();

  hearNews({
    subscriber,
    channel,
    schema: beatSchema,
    onNews: (beat) => seen.set(beat.instance, { beat, at: now() }),
    onError: onBadEvent,
  });

  /** A silence counts only while we could have heard something. */
  const silentMs = (at: number): number => now() - Math.max(at, awakeSince());
  const aliveWithin = (ms: number): ProcessBeat[] => {
    for (const [instance, { at }] of seen) if (silentMs(at) > returnMs) seen.delete(instance);
    return [...seen.values()].flatMap(({ beat, at }) => (silentMs(at) <= ms ? [beat] : []));
  };

  return {
    /** Those that gave a sign of life lately, in the order of their starts. */
    alive: (): ProcessBeat[] => aliveWithin(aliveMs).sort((one, other) => one.startedAt - other.startedAt),
    /** Whether one of a kind ends or has just ended in order to be started again. */
    isExpectedBack: (process: ProcessBeat['process']): boolean =>
      aliveWithin(returnMs).some((beat) => beat.process === process && beat.draining),
    async tell(beat: ProcessBeat): Promise<void> {
      if (redis.status === 'ready') await redis.publish(channelOn(redis, channel), JSON.stringify(beat));
    },
  };
}
