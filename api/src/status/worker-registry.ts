import type { Redis } from 'ioredis';
import { subscribeToMessages } from '../redis/channel.ts';
import {
  type EngineName,
  type EngineStatus,
  type Heartbeat,
  heartbeatChannel,
  heartbeatEveryMs,
  heartbeatSchema,
  type ServerStatus,
} from './engine-status.ts';
import type { WorkerPresence } from './worker-presence.ts';

/** Number of missed heartbeats after which a worker is dead. An engine that uses every core delays some. */
const missedBeats = 5;

interface RegistryOptions {
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  presence: Pick<WorkerPresence, 'follow' | 'hasLeft'>;
  onBadEvent: (error: Error) => void;
  /** A worker is restarting, so waiting turns keep waiting. */
  isOneExpected?: () => boolean;
  /**
   * Since when this process has run without a suspension, by `now`. Before that, it could receive nothing.
   */
  awakeSince?: () => number;
  /** Monotonic time in ms. */
  now?: () => number;
}

export type WorkerRegistry = ReturnType<typeof createWorkerRegistry>;

/** Tracks which workers are alive, and their engine states. Times are local, so clocks need not agree. */
export function createWorkerRegistry(options: RegistryOptions) {
  const { subscriber, presence, onBadEvent, isOneExpected = () => false } = options;
  const { awakeSince = () => 0, now = () => performance.now() } = options;
  const seen = new Map<string, { beat: Heartbeat; at: number }>();
  /**
   * When each worker last sent a heartbeat or took a turn. A new worker may take a turn before its
   * first heartbeat.
   */
  const signs = new Map<string, number>();
  let listeningSince = now();

  subscribeToMessages({
    subscriber,
    channel: heartbeatChannel,
    schema: heartbeatSchema,
    onNews: (beat) => {
      seen.set(beat.workerId, { beat, at: now() });
      sign(beat.workerId);
    },
    onListening: () => {
      listeningSince = now();
    },
    onError: onBadEvent,
  });

  const sign = (workerId: string): void => {
    for (const [id, at] of signs) if (silentTooLong(at)) signs.delete(id);
    signs.set(workerId, now());
    presence.follow(workerId);
  };
  /** Silence counts only while this process could receive messages. */
  const silentTooLong = (since: number) =>
    now() - Math.max(since, listeningSince, awakeSince()) > missedBeats * heartbeatEveryMs;

  const alive = (): Heartbeat[] => {
    for (const [id, { at }] of seen) if (silentTooLong(at)) seen.delete(id);
    return [...seen.values()].map(({ beat }) => beat);
  };

  return {
    alive,
    /** Local time of the last heartbeat of any worker. */
    get lastBeatAt(): number {
      return Math.max(Number.NEGATIVE_INFINITY, ...[...seen.values()].map(({ at }) => at));
    },
    /**
     * True only if it is certain: an unknown worker is not gone. A worker that hangs is present but silent.
     */
    isGone: (workerId: string) =>
      presence.hasLeft(workerId) || silentTooLong(signs.get(workerId) ?? Number.NEGATIVE_INFINITY),
    /** A worker has acted, so it is alive. */
    sign,
    /** True only if no worker has sent a heartbeat or taken a turn within the limit. */
    noneAlive: () => [Number.NEGATIVE_INFINITY, ...signs.values()].every(silentTooLong) && !isOneExpected(),
    /** An engine's state. If workers disagree, the best state wins, because that worker can answer. */
    engine(name: EngineName): EngineStatus | undefined {
      const statuses = alive().flatMap((beat) => beat.engines[name] ?? []);
      return statuses.find(({ state }) => state === 'ready') ?? statuses[0];
    },
    /** Every server of an engine. If workers disagree about one, the best state wins. */
    servers(name: EngineName): ServerStatus[] {
      const byUrl = new Map<string, ServerStatus>();
      for (const server of alive().flatMap((beat) => beat.servers[name] ?? [])) {
        if (!byUrl.has(server.url) || server.state === 'ready') byUrl.set(server.url, server);
      }
      return [...byUrl.values()];
    },
    running: () => alive().reduce((sum, beat) => sum + beat.running, 0),
  };
}
