import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openQueues, type Queues, queueRules } from '../../api/src/jobs/queues.ts';
import { createThinkSlots } from '../../api/src/stages/think-slot.ts';
import type { Turn } from '../../api/src/turn/turn.ts';
import { createTurnStore, type TurnStore } from '../../api/src/turn/turn-store.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
let redis: Redis;
let queues: Queues;
let turns: TurnStore;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  await once(redis, 'ready');
  queues = openQueues({ redis, onError: () => undefined });
  turns = createTurnStore({ redis });
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});
beforeEach(async () => {
  await redis.flushall();
  await queues.think.setGlobalConcurrency(1);
});

/** A turn whose question no rule could answer. */
async function responding(): Promise<Turn> {
  const createdAt = Date.now();
  const turn: Turn = {
    id: crypto.randomUUID(),
    source: 'ask',
    text: 'Why is the sky blue?',
    isSure: true,
    conversation: null,
    room: null,
    createdAt,
    deadlineAt: createdAt + 5_000,
    replyTo: 'api',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  };
  await turns.admit(turn, queueRules.maxWaiting);
  await turns.take(turn.id, 'respond', 'w');
  return turn;
}

const slotsOf = (workerId: string) => createThinkSlots({ redis, queue: queues.think, workerId });
const stateOf = ({ id }: Turn) => redis.hget(`hearth:turn:${id}`, 'state');

describe('a slot of the language model', () => {
  test('is taken if one is free, and counts as work of its queue', async () => {
    const turn = await responding();

    const slot = await slotsOf('w').take(turn);

    expect(slot).not.toBeNull();
    expect(await stateOf(turn)).toBe('thinking');
    expect(await queues.think.getJobCounts('active', 'waiting')).toEqual({ active: 1, waiting: 0 });
    expect(await redis.zcard('hearth:waiting-turns')).toBe(0);
    slot?.release();
    await waitFor(async () => (await queues.think.getActiveCount()) === 0, { what: 'the slot is free' });
    expect(await redis.keys('hearth:think:*-*')).toEqual([]);
  });

  test('is reported like a queue: the turn waits, then it starts', async () => {
    const turn = await responding();
    const listener = redis.duplicate();
    await listener.subscribe('hearth:turn-events:api');
    const told: string[] = [];
    listener.on('message', (_channel, event) => told.push(JSON.parse(event).type));

    (await slotsOf('w').take(turn))?.release();

    await waitFor(() => told.length === 2, { what: 'both are told' });
    expect(told).toEqual(['waits', 'started']);
    listener.disconnect();
  });

  test('is refused beyond the number of answers in parallel', async () => {
    const first = await slotsOf('w').take(await responding());
    const second = await responding();

    expect(await slotsOf('other').take(second)).toBeNull();
    expect(await stateOf(second)).toBe('responding');
    first?.release();
  });

  test('goes to the turns that have waited', async () => {
    const waiting = await responding();
    await queues.think.add('ask', { turnId: waiting.id }, { jobId: waiting.id, priority: 20 });

    expect(await slotsOf('w').take(await responding())).toBeNull();
  });

  test('is not taken by a finished turn', async () => {
    const turn = await responding();
    await turns.cancel(turn);

    await expect(slotsOf('w').take(turn)).rejects.toThrow(
      expect.objectContaining({ code: 'turn_cancelled' }),
    );
    expect(await queues.think.getActiveCount()).toBe(0);
  });

  test('wakes a waiting turn when it is free', async () => {
    const slot = await slotsOf('w').take(await responding());
    const next = await responding();
    await queues.think.add('ask', { turnId: next.id }, { jobId: next.id, priority: 20 });
    await redis.del('hearth:think:marker');

    slot?.release();

    await waitFor(async () => (await redis.zcard('hearth:think:marker')) === 1, { what: 'the wake-up' });
  });

  test('is not work that another worker, or the same one again, could start', async () => {
    const turn = await responding();
    const slot = await slotsOf('w').take(turn);

    const taken = await Promise.all(['w', 'other'].map((worker) => turns.take(turn.id, 'think', worker)));

    expect(taken.map((each) => each?.isBegun)).toEqual([false, false]);
    slot?.release();
  });
});
