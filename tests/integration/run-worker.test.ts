import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueues, queueRules } from '../../api/src/jobs/queues.ts';
import { runWorker } from '../../api/src/jobs/run-worker.ts';
import { createLog } from '../../api/src/log.ts';
import type { Turn } from '../../api/src/turn/turn.ts';
import { cancelChannel } from '../../api/src/turn/turn-events.ts';
import { createTurnStore } from '../../api/src/turn/turn-store.ts';
import { type OwnRedis, startRedis } from '../support/own-redis.ts';

let server: OwnRedis;
let redis: Redis;
let subscriber: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  subscriber = new Redis(server.url);
  await Promise.all([once(redis, 'ready'), once(subscriber, 'ready')]);
});
afterAll(async () => {
  redis?.disconnect();
  subscriber?.disconnect();
  await server?.stop();
});

const log = createLog({ level: 'silent', process: 'worker' }, new Writable());

const never = () => Promise.reject(new Error('This stage is not asked for.'));
const unused = {
  transcribe: never,
  respond: never,
  think: never,
  speak: never,
  overhear: never,
  warm: never,
};

function newTurn(): Turn {
  const createdAt = Date.now();
  return {
    id: crypto.randomUUID(),
    source: 'ask',
    text: 'Never mind?',
    isSure: true,
    conversation: null,
    room: null,
    createdAt,
    deadlineAt: createdAt + 5_000,
    replyTo: 'nobody',
    streams: false,
    speaks: false,
    isTentative: false,
  };
}

test('a turn that is cancelled in the moment in which it begins is ended', async () => {
  const turns = createTurnStore({ redis });
  const { respond: queue } = openQueues({ redis, onError: () => undefined });
  const turn = newTurn();
  const ended = Promise.withResolvers<string>();
  const worker = runWorker({
    workerId: 'w',
    redisUrl: server.url,
    subscriber,
    log,
    turns: {
      ...turns,
      /** The caller hangs up after the turn has begun and before the worker hears that it has. */
      begin: async (begun, stage, workerId) => {
        const begins = await turns.begin(begun, stage, workerId);
        const told = once(subscriber, 'message');
        await turns.cancel(begun);
        await redis.publish(cancelChannel, begun.id);
        await told;
        return begins;
      },
    },
    stages: {
      ...unused,
      respond: async (_turn, { signal }) => {
        ended.resolve(signal.aborted ? 'ended' : 'went on');
      },
    },
  });
  await turns.admit(turn, queueRules.mostWaiting);

  await queue.add('ask', { turnId: turn.id }, { jobId: turn.id });

  expect(await ended.promise).toBe('ended');
  await worker.stop(0);
});
