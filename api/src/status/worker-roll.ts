import type { Redis } from 'ioredis';
import { hearNews } from '../redis/channel.ts';
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

/** So many heartbeats may be missed before a worker counts as gone: an engine that takes every core delays some. */
const missedBeats = 5;

interface RollOptions {
  /** A connection that only subscribes. */
  subscriber: Redis;
  presence: Pick<WorkerPresence, 'follow' | 'hasLeft'>;
  onBadEvent: (error: Error) => void;
  /** A worker has ended in order to be started again: what waits for one waits on. */
  isOneExpected?: () => boolean;
  /** Since when this process has run without standing still, by `now`: before that it could hear nobody. */
  awakeSince?: () => number;
  /** Time that only passes, in ms. */
  now?: () => number;
}

export type WorkerRoll = ReturnType<typeof createWorkerRoll>;

/** Which workers are alive and what they say of the engines. Times are this process's own, so clocks need not agree. */
export function createWorkerRoll(options: RollOptions) {
  const { subscriber, presence, onBadEvent, isOneExpected = () => false } = options;
  const { awakeSince = () => 0, now = () => performance.now() } = options;
  const seen = new Map<string, { beat: Heartbeat; at: number }>();
  /** When each worker last gave a sign of life: a heartbeat, or that it takes up a turn, which a new one may do before its first. */
  const signs = new Map<string, number>();
  let listeningSince = now();

  hearNews({
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
  /** A silence counts only from the moment we could have heard something. */
  const silentTooLong = (since: number) =>
    now() - Math.max(since, listeningSince, awakeSince()) > missedBeats * heartbeatEveryMs;

  const alive = (): Heartbeat[] => {
    for (const [id, { at }] of seen) if (silentTooLong(at)) seen.delete(id);
    return [...seen.values()].map(({ beat }) => beat);
  };

  return {
    alive,
    /** When the last sign of life of any worker came, as this process's time. */
    get lastBeatAt(): number {
      return Math.max(Number.NEGATIVE_INFINITY, ...[...seen.values()].map(({ at }) => at));
    },
    /** True only when it is certain: a worker that has not been heard of yet is not gone. One that hangs is there, and silent. */
    isGone: (workerId: string) =>
      presence.hasLeft(workerId) || silentTooLong(signs.get(workerId) ?? Number.NEGATIVE_INFINITY),
    /** A worker has done something: it lives. */
    sign,
    /** True only when no worker has given a sign of life for longer than any living one would. */
    noneAlive: () => [Number.NEGATIVE_INFINITY, ...signs.values()].every(silentTooLong) && !isOneExpected(),
    /** An engine's state as the workers tell it; where they differ, the best news, for that worker can answer. */
    engine(name: EngineName): EngineStatus | undefined {
      const told = alive().flatMap((beat) => beat.engines[name] ?? []);
      return told.find(({ state }) => state === 'ready') ?? told[0];
    },
    /** Every server of an engine, in the order of its addresses; where workers differ about one, the best news. */
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
