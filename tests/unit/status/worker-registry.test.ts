import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import {
  type EngineStatus,
  type Heartbeat,
  heartbeatChannel,
} from '../../../api/src/status/engine-status.ts';
import { createWorkerRegistry } from '../../../api/src/status/worker-registry.ts';

/** A registry whose time the test sets; its connection never opens. */
async function setUp() {
  const clock = { now: 1_000_000, awakeSince: 0 };
  const complaints: Error[] = [];
  const left = new Set<string>();
  const subscriber = new Redis({ lazyConnect: true });
  vi.spyOn(subscriber, 'subscribe').mockResolvedValue(1);
  const registry = createWorkerRegistry({
    subscriber,
    presence: { follow: () => undefined, hasLeft: (workerId) => left.has(workerId) },
    now: () => clock.now,
    awakeSince: () => clock.awakeSince,
    onBadEvent: (error) => complaints.push(error),
  });
  const connect = async () => {
    subscriber.emit('ready');
    await Promise.resolve();
  };
  await connect();
  const hear = (message: string, channel = heartbeatChannel) => subscriber.emit('message', channel, message);
  const beat = (workerId: string, engines: Heartbeat['engines'] = {}, running = 0) =>
    hear(JSON.stringify({ workerId, engines, running }));
  return { registry, clock, left, complaints, connect, hear, beat };
}

const llm = (state: EngineStatus['state'], reason: string | null = null): Heartbeat['engines'] => ({
  llm: { state, reason, since: 1, model: 'local' },
});

describe('the worker registry', () => {
  test('knows the workers with a heartbeat in the last five seconds', async () => {
    const { registry, clock, beat } = await setUp();
    beat('a');
    clock.now += 3_000;
    beat('b', {}, 2);

    clock.now += 2_001;

    expect(registry.alive().map(({ workerId }) => workerId)).toEqual(['b']);
    expect([registry.isGone('a'), registry.isGone('b'), registry.noneAlive()]).toEqual([true, false, false]);
    expect(registry.running()).toBe(2);
  });

  test('reports no worker gone before it could have received its heartbeat', async () => {
    const { registry, clock } = await setUp();

    clock.now += 5_000;
    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([false, false]);
    clock.now += 1;
    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([true, true]);
  });

  test('reports no worker gone that just took a turn, before its first heartbeat', async () => {
    const { registry, clock } = await setUp();
    clock.now += 60_000;

    registry.sign('new');

    expect([registry.isGone('new'), registry.noneAlive(), registry.isGone('another')]).toEqual([
      false,
      false,
      true,
    ]);
    clock.now += 5_001;
    expect([registry.isGone('new'), registry.noneAlive()]).toEqual([true, true]);
  });

  test('reports a worker gone whose process has ended, however recent its heartbeat', async () => {
    const { registry, left, beat } = await setUp();
    beat('a');
    beat('b');

    left.add('a');

    expect([registry.isGone('a'), registry.isGone('b')]).toEqual([true, false]);
  });

  test('starts listening again when Redis is back', async () => {
    const { registry, clock, beat, connect } = await setUp();
    beat('a');
    clock.now += 60_000;
    await connect();

    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([false, false]);
    clock.now += 5_001;
    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([true, true]);
  });

  test('reports no worker gone after its own suspension', async () => {
    const { registry, clock, beat } = await setUp();
    beat('a');

    clock.now += 60_000;
    clock.awakeSince = clock.now;

    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([false, false]);
    clock.now += 5_001;
    expect([registry.noneAlive(), registry.isGone('a')]).toEqual([true, true]);
  });

  test('ignores the wall clock', async () => {
    const subscriber = new Redis({ lazyConnect: true });
    vi.spyOn(subscriber, 'subscribe').mockResolvedValue(1);
    const registry = createWorkerRegistry({
      subscriber,
      presence: { follow: () => undefined, hasLeft: () => false },
      onBadEvent: () => undefined,
    });
    subscriber.emit('message', heartbeatChannel, '{"workerId":"a","engines":{},"running":0}');

    for (const byMs of [3_600_000, -3_600_000]) {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs);
      expect([registry.noneAlive(), registry.isGone('a'), registry.alive().length]).toEqual([
        false,
        false,
        1,
      ]);
    }
    vi.restoreAllMocks();
  });

  test('uses the best report about an engine', async () => {
    const { registry, beat } = await setUp();
    beat('a', llm('failed', 'It cannot be reached.'));
    beat('b', llm('ready'));

    expect(registry.engine('llm')).toMatchObject({ state: 'ready', model: 'local' });
    expect(registry.engine('stt')).toBeUndefined();
  });

  test("drops a dead worker's report about an engine", async () => {
    const { registry, clock, beat } = await setUp();
    beat('a', llm('ready'));
    clock.now += 4_000;
    beat('b', llm('loading'));
    clock.now += 2_000;

    expect(registry.engine('llm')?.state).toBe('loading');
  });

  test.each([
    '',
    'no JSON',
    '{}',
    '{"workerId":5,"engines":{},"running":0}',
    '{"workerId":"a","engines":{"llm":{}},"running":0}',
  ])('ignores the message %o', async (message) => {
    const { registry, complaints, hear } = await setUp();

    hear(message);

    expect(registry.alive()).toEqual([]);
    expect(complaints).toHaveLength(1);
  });

  test('ignores messages of other channels', async () => {
    const { registry, complaints, hear } = await setUp();

    hear('{"workerId":"a","engines":{},"running":0}', 'another');

    expect([registry.alive(), complaints]).toEqual([[], []]);
  });
});
