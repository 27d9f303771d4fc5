import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import {
  type EngineStatus,
  type Heartbeat,
  heartbeatChannel,
} from '../../../api/src/status/engine-status.ts';
import { createWorkerRoll } from '../../../api/src/status/worker-roll.ts';

/** A roll whose time the test sets; its connection is never opened. */
async function setUp() {
  const clock = { now: 1_000_000, awakeSince: 0 };
  const complaints: Error[] = [];
  const left = new Set<string>();
  const subscriber = new Redis({ lazyConnect: true });
  vi.spyOn(subscriber, 'subscribe').mockResolvedValue(1);
  const roll = createWorkerRoll({
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
  return { roll, clock, left, complaints, connect, hear, beat };
}

const llm = (state: EngineStatus['state'], reason: string | null = null): Heartbeat['engines'] => ({
  llm: { state, reason, since: 1, model: 'local' },
});

describe('the roll of workers', () => {
  test('knows who gave a sign of life in the last five seconds', async () => {
    const { roll, clock, beat } = await setUp();
    beat('a');
    clock.now += 3_000;
    beat('b', {}, 2);

    clock.now += 2_001;

    expect(roll.alive().map(({ workerId }) => workerId)).toEqual(['b']);
    expect([roll.isGone('a'), roll.isGone('b'), roll.noneAlive()]).toEqual([true, false, false]);
    expect(roll.running()).toBe(2);
  });

  test('calls nobody gone before it could have heard them', async () => {
    const { roll, clock } = await setUp();

    clock.now += 5_000;
    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([false, false]);
    clock.now += 1;
    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([true, true]);
  });

  test('calls nobody gone who has just taken up a turn, before the first heartbeat', async () => {
    const { roll, clock } = await setUp();
    clock.now += 60_000;

    roll.sign('new');

    expect([roll.isGone('new'), roll.noneAlive(), roll.isGone('another')]).toEqual([false, false, true]);
    clock.now += 5_001;
    expect([roll.isGone('new'), roll.noneAlive()]).toEqual([true, true]);
  });

  test('calls one gone whose process has ended, however lately it was heard', async () => {
    const { roll, left, beat } = await setUp();
    beat('a');
    beat('b');

    left.add('a');

    expect([roll.isGone('a'), roll.isGone('b')]).toEqual([true, false]);
  });

  test('begins to listen anew when Redis is back', async () => {
    const { roll, clock, beat, connect } = await setUp();
    beat('a');
    clock.now += 60_000;
    await connect();

    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([false, false]);
    clock.now += 5_001;
    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([true, true]);
  });

  test('calls nobody gone while it stood still itself', async () => {
    const { roll, clock, beat } = await setUp();
    beat('a');

    clock.now += 60_000;
    clock.awakeSince = clock.now;

    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([false, false]);
    clock.now += 5_001;
    expect([roll.noneAlive(), roll.isGone('a')]).toEqual([true, true]);
  });

  test('does not mind what the wall clock shows', async () => {
    const subscriber = new Redis({ lazyConnect: true });
    vi.spyOn(subscriber, 'subscribe').mockResolvedValue(1);
    const roll = createWorkerRoll({
      subscriber,
      presence: { follow: () => undefined, hasLeft: () => false },
      onBadEvent: () => undefined,
    });
    subscriber.emit('message', heartbeatChannel, '{"workerId":"a","engines":{},"running":0}');

    for (const byMs of [3_600_000, -3_600_000]) {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs);
      expect([roll.noneAlive(), roll.isGone('a'), roll.alive().length]).toEqual([false, false, 1]);
    }
    vi.restoreAllMocks();
  });

  test('believes the best news of an engine', async () => {
    const { roll, beat } = await setUp();
    beat('a', llm('failed', 'It cannot be reached.'));
    beat('b', llm('ready'));

    expect(roll.engine('llm')).toMatchObject({ state: 'ready', model: 'local' });
    expect(roll.engine('stt')).toBeUndefined();
  });

  test('forgets what a dead worker said of an engine', async () => {
    const { roll, clock, beat } = await setUp();
    beat('a', llm('ready'));
    clock.now += 4_000;
    beat('b', llm('loading'));
    clock.now += 2_000;

    expect(roll.engine('llm')?.state).toBe('loading');
  });

  test.each([
    '',
    'no JSON',
    '{}',
    '{"workerId":5,"engines":{},"running":0}',
    '{"workerId":"a","engines":{"llm":{}},"running":0}',
  ])('passes by the message %o', async (message) => {
    const { roll, complaints, hear } = await setUp();

    hear(message);

    expect(roll.alive()).toEqual([]);
    expect(complaints).toHaveLength(1);
  });

  test('passes by what is said in other channels', async () => {
    const { roll, complaints, hear } = await setUp();

    hear('{"workerId":"a","engines":{},"running":0}', 'another');

    expect([roll.alive(), complaints]).toEqual([[], []]);
  });
});
