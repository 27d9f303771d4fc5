import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { channelOn, hearNews } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { ProcessBeat, ProcessRoll } from '../status/process-roll.ts';

const channel = 'hearth:restart';
const lookEveryMs = 250;

type Kind = ProcessBeat['process'];
const kindSchema = z.enum(['api', 'worker']);
const wishSchema = z.object({
  kinds: z.array(kindSchema),
  /** How many of each were there when it was asked for: the first may be gone before the last has heard of it. */
  there: z.record(kindSchema, z.number()),
});

interface RestartsOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  kind: Kind;
  instance: string;
  roll: ProcessRoll;
  /** It is this process's turn: it finishes what it has in hand and ends, and whoever watches over it starts it again. */
  onTurn: () => void;
  /** The others did not come back: this one stays, for the last must not go. */
  onLeftOut: (reason: string) => void;
  /** So long one of several may take to end and to be back. */
  maxMsEach?: number;
}

export type Restarts = ReturnType<typeof createRestarts>;

/** Restarts that were asked for: processes of a kind go one after another, each when all are there, so that somebody always is. */
export function createRestarts(options: RestartsOptions) {
  const { redis, subscriber, kind, instance, roll, onTurn, onLeftOut, maxMsEach = 120_000 } = options;
  let isAsked = false;

  const atWork = (of: Kind = kind): number =>
    roll.alive().filter(({ process, draining }) => process === of && !draining).length;
  const takeTurn = async (): Promise<boolean> =>
    (await onRedis(redis, () =>
      redis.set(keys.restart.of(kind), instance, 'EX', keys.restart.lastsS, 'NX'),
    )) === 'OK';

  const wait = async (all: number): Promise<void> => {
    const until = performance.now() + all * maxMsEach;
    while (performance.now() < until) {
      const isWhole = all === 1 || atWork() >= all;
      if (isWhole && (await takeTurn().catch(() => false))) return onTurn();
      await delay(lookEveryMs, undefined, { ref: false });
    }
    isAsked = false;
    onLeftOut(`Only ${atWork()} of ${all} are there: the others did not come back.`);
  };

  hearNews({
    subscriber,
    channel,
    schema: wishSchema,
    onNews: ({ kinds, there }) => {
      if (isAsked || !kinds.includes(kind)) return;
      isAsked = true;
      void wait(Math.max(1, there[kind]));
    },
    onError: () => undefined, // it is tried again with the connection
  });

  return {
    /** Asks all processes of these kinds to start anew, each in its turn. */
    async ask(kinds: readonly Kind[]): Promise<void> {
      const wish: z.infer<typeof wishSchema> = {
        kinds: [...kinds],
        there: { api: atWork('api'), worker: atWork('worker') },
      };
      await onRedis(redis, () => redis.publish(channelOn(redis, channel), JSON.stringify(wish)));
    },
  };
}
