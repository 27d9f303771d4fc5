/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectRedis } from '../../api/src/redis/redis.ts';
import { createRestarts } from '../../api/src/restart/restarts.ts';
import type { ProcessBeat } from '../../api/src/status/process-registry.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let store: Redis;
/** The list of processes that all of them share. */
let alive: ProcessBeat[];
let connections: Redis[];

beforeAll(async () => {
  redis = await startRedis();
  store = await connectTo(redis.url);
});
beforeEach(async () => {
  await store.flushall();
  [alive, connections] = [[], []];
});
afterEach(() => {
  for (const connection of connections) connection.disconnect();
});
afterAll(async () => {
  store?.disconnect();
  await redis?.stop();
});

function beatOf(instance: string): ProcessBeat {
  const rest = { startedAt: 0, draining: false, busy: 0, satellites: 0, residentBytes: 0 };
  return { instance, process: 'worker', ...rest };
}

/** A worker that accepts nothing new once it is its turn. */
async function startWorker(instance: string, maxMsEach?: number) {
  const [own, subscriber] = [0, 1].map(() => connectRedis({ url: redis.url, onError: () => undefined }));
  if (!own || !subscriber) throw new Error('no connections');
  connections.push(own, subscriber);
  const beat = beatOf(instance);
  alive.push(beat);
  const state = { hasGone: false, stayed: '' };
  const restarts = createRestarts({
    redis: own,
    subscriber,
    kind: 'worker',
    instance,
    registry: { alive: () => alive, isExpectedBack: () => false, tell: async () => undefined },
    onTurn: () => {
      state.hasGone = true;
      beat.draining = true;
    },
    onLeftOut: (reason) => {
      state.stayed = reason;
    },
    ...(maxMsEach !== undefined && { maxMsEach }),
  });
  await waitFor(async () => {
    const [, count] = await store.pubsub('NUMSUB', 'hearth:restart');
    return own.status === 'ready' && Number(count) === alive.filter(({ draining }) => !draining).length;
  });
  return { state, restarts };
}

test('several workers restart one after the other, each when the previous one is back', async () => {
  const workers = [await startWorker('a'), await startWorker('b'), await startWorker('c')];
  const gone = () => workers.filter(({ state }) => state.hasGone);

  await workers[0]?.restarts.ask(['worker']);
  const leftAtEach: number[] = [];
  for (const count of [1, 2, 3]) {
    await waitFor(() => gone().length === count);
    leftAtEach.push(alive.filter(({ draining }) => !draining).length);
    alive.push(beatOf(`new ${count}`));
  }

  expect(leftAtEach).toEqual([2, 2, 2]);
});

test('the others keep running when the first does not come back', async () => {
  const workers = [await startWorker('a', 1_000), await startWorker('b', 1_000)];

  await workers[0]?.restarts.ask(['worker']);
  await waitFor(() => workers.some(({ state }) => state.stayed !== ''));

  const went = workers.filter(({ state }) => state.hasGone);
  const stayed = workers.filter(({ state }) => !state.hasGone);
  expect(went).toHaveLength(1);
  expect(stayed.map(({ state }) => state.stayed)).toEqual([
    'Only 1 of 2 are there: the others did not come back.',
  ]);
});

test('a single one restarts at once, and other kinds keep running', async () => {
  const worker = await startWorker('a');

  await worker.restarts.ask(['api']);
  await worker.restarts.ask(['worker']);
  await waitFor(() => worker.state.hasGone);

  expect(worker.state).toEqual({ hasGone: true, stayed: '' });
});
