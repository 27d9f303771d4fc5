import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, subscribeToMessages } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { ProcessBeat, ProcessRegistry } from '../status/process-registry.ts';

const channel = 'hearth:restart';
const pollIntervalMs = 250;

type Kind = ProcessBeat['process'];
const kindSchema = z.enum(['api', 'worker']);
const requestSchema = z.object({
  kinds: z.array(kindSchema),
  /**
   * Number of processes of each kind at the time of the request. The first may be gone before the last
   * receives it.
   */
  there: z.record(kindSchema, z.number()),
});

interface RestartsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  kind: Kind;
  instance: string;
  registry: ProcessRegistry;
  /** Called when this process should finish its work and end. Its supervisor restarts it. */
  onTurn: () => void;
  /** Called when the others did not come back. This process stays, because the last one must not end. */
  onLeftOut: (reason: string) => void;
  /** Maximum time for one process to end and come back. */
  maxMsEach?: number;
}

export type Restarts = ReturnType<typeof createRestarts>;

/**
 * Restarts the processes of a kind one after another. Each waits until all are present, so that one is always
 * available.
 */
export function createRestarts(options: RestartsOptions) {
  const { redis, subscriber, kind, instance, registry, onTurn, onLeftOut, maxMsEach = 120_000 } = options;
  let isAsked = false;

  const atWork = (of: Kind = kind): number =>
    registry.alive().filter(({ process, draining }) => process === of && !draining).length;
  const takeTurn = async (): Promise<boolean> =>
    (await onRedis(redis, () =>
      redis.set(keys.restart.of(kind), instance, 'EX', keys.restart.lastsS, 'NX'),
    )) === 'OK';

  const wait = async (all: number): Promise<void> => {
    const until = performance.now() + all * maxMsEach;
    while (performance.now() < until) {
      const isWhole = all === 1 || atWork() >= all;
      if (isWhole && (await takeTurn().catch(() => false))) return onTurn();
      await delay(pollIntervalMs, undefined, { ref: false });
    }
    isAsked = false;
    onLeftOut(`Only ${atWork()} of ${all} are there: the others did not come back.`);
  };

  subscribeToMessages({
    subscriber,
    channel,
    schema: requestSchema,
    onNews: ({ kinds, there }) => {
      if (isAsked || !kinds.includes(kind)) return;
      isAsked = true;
      void wait(Math.max(1, there[kind]));
    },
    onError: () => undefined, // it retries on the next connection
  });

  return {
    /** Requests a restart of all processes of these kinds, one after another. */
    async ask(kinds: readonly Kind[]): Promise<void> {
      const request: z.infer<typeof requestSchema> = {
        kinds: [...kinds],
        there: { api: atWork('api'), worker: atWork('worker') },
      };
      await onRedis(redis, () => redis.publish(channelOn(redis, channel), JSON.stringify(request)));
    },
  };
}
