import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { busySecondMs } from '../support/busy-second.ts';
import type { ListenClient } from '../support/clients/listen-client.ts';
import { enterRoom, type Room } from '../support/clients/room.ts';
import {
  isReady,
  type RunningApi,
  type RunningWorker,
  startApi,
  startWorker,
} from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

/** Often enough that tests need not wait for it. */
const sweepEveryMs = 500;

let redis: OwnRedis;
let worker: RunningWorker;
let api: RunningApi;
let timers: ReturnType<typeof openTimers>;
let rooms: Room[] = [];

beforeAll(async () => {
  redis = await startRedis({ isKept: true });
  worker = startWorker({ redisUrl: redis.url, limits: { sweepEveryMs } });
  api = await startApi({ redisUrl: redis.url });
  await isReady(api);
  timers = openTimers(redis.url);
});
afterEach(async () => {
  await Promise.all(rooms.map((room) => room.leave()));
  rooms = [];
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
});
afterAll(async () => {
  timers?.close();
  await worker?.stop();
  await api?.stop();
  await redis?.stop();
});

/** A satellite until the end of the test, known to every process. */
async function enter(room: string, { address }: { address: string } = api): Promise<Room> {
  const entered = await enterRoom(address, { client: `${room}-satellite`, room });
  rooms.push(entered);
  const known = () => timers.redis.hvals('hearth:connected-satellites');
  await waitFor(async () => (await known()).some((each) => each.includes(`"${room}-satellite"`)));
  return entered;
}
const finished = ({ events }: Pick<ListenClient, 'events'>) =>
  events.filter(({ event }) => event.type === 'timer.finished').length;
/** Rounds of ringing that have begun to be heard. */
const rounds = ({ events }: Pick<ListenClient, 'events'>) =>
  events.filter(({ event }) => event.type === 'response.output_audio.started').length;
/** How late it is announced and heard. */
async function lateMs(room: Room, { dueAt }: { dueAt: number }): Promise<number[]> {
  const told = await room.event('timer.finished', 0, 4_000);
  const ringing = await room.event('response.output_audio.started', 0, 4_000);
  return [told, ringing].map(({ atMs }) => Date.now() - (performance.now() - atMs) - dueAt);
}
const pause = (ms: number) => {
  const until = performance.now() + ms;
  return waitFor(() => performance.now() >= until, { withinMs: ms + 5_000 });
};
const states = async () => (await timers.store.all()).map(({ state }) => state);

const unreachable = 'Redis, the memory of this server, cannot be reached.';
const silent = 'Redis, the memory of this server, is running but does not answer.';
const troubles = [
  {
    name: 'is full',
    begins: () => redis.fill(),
    ends: () => redis.mend(),
    reason: 'Redis, the memory of this server, is full and stores nothing new.',
  },
  {
    name: 'cannot write to its disk',
    begins: () => redis.loseDisk(),
    ends: () => redis.mend(),
    reason: 'Redis, the memory of this server, cannot write to its disk and stores nothing new.',
  },
  { name: 'hangs', begins: () => redis.freeze(), ends: () => redis.thaw(), reason: silent },
  { name: 'is gone', begins: () => redis.kill(), ends: () => redis.revive(), reason: unreachable },
];

describe.each(troubles)('while Redis $name', ({ reason, ...trouble }) => {
  let kitchen: Room;
  let isIll = false;
  const begins = async () => {
    isIll = true;
    await trouble.begins();
  };
  const ends = async () => {
    if (isIll) await trouble.ends();
    isIll = false;
  };
  beforeEach(async () => {
    kitchen = await enter('kitchen');
  });
  afterEach(async () => {
    await ends();
    await waitFor(async () => (await api.health()).status === 'ready', { withinMs: 20_000 });
    await waitFor(() => timers.redis.status === 'ready');
  });

  test('a timer rings in time and once, health says why, and the button ends it for good', async () => {
    const timer = await timers.set(1_500);
    await kitchen.event('timer.started');
    await begins();

    const late = await lateMs(kitchen, timer);
    await waitFor(async () => (await api.health()).status === 'degraded');
    const health = await api.health();
    await kitchen.event('response.output_audio.started', 1, 10_000);
    kitchen.send({ type: 'response.cancel' });
    await kitchen.event('timer.stopped');
    const roundsBefore = rounds(kitchen);
    await ends();
    await waitFor(async () => (await states()).length === 0, { what: 'it is over', withinMs: 20_000 });
    await pause(3 * sweepEveryMs); // the worker looks too

    for (const each of late) {
      expect(each).toBeGreaterThanOrEqual(0);
      expect(each).toBeLessThan(busySecondMs);
    }
    expect(health.redis).toEqual({ state: 'failed', reason });
    expect([finished(kitchen), rounds(kitchen) - roundsBefore]).toEqual([1, 0]);
    expect(kitchen.events.filter(({ event }) => event.type === 'timer.stopped')).toHaveLength(1);
  }, 60_000);

  test('a word into the ringing ends it, although nobody can understand words', async () => {
    await timers.set(1_200);
    await kitchen.event('timer.started');
    await begins();
    await kitchen.event('response.output_audio.started', 0, 4_000);

    await kitchen.say('hello');
    await kitchen.event('timer.stopped', 0, 10_000);
    await ends();
    await waitFor(async () => (await states()).length === 0, { what: 'it is over', withinMs: 20_000 });

    expect(finished(kitchen)).toBe(1);
    // It is done, so nothing reports a failure.
    expect(kitchen.events.filter(({ event }) => event.type === 'error')).toEqual([]);
  }, 60_000);

  test('what rang goes on ringing when Redis is back, and is as it would have been', async () => {
    const timer = await timers.set(1_200);
    await kitchen.event('timer.started');
    await begins();
    await kitchen.event('response.output_audio.started', 0, 4_000);
    await ends();

    const record = await waitFor(
      async () => (await timers.store.all()).find(({ heardAt }) => heardAt !== null) ?? false,
      { what: 'the record follows', withinMs: 20_000 },
    );
    const before = rounds(kitchen);
    await waitFor(() => rounds(kitchen) > before, { withinMs: 15_000 });
    await api.call(`/admin/timers/${timer.id}`, { method: 'DELETE' });
    await kitchen.event('timer.stopped');

    expect(record.state).toBe('ringing');
    expect((record.ringingAt ?? 0) - timer.dueAt).toBeLessThan(busySecondMs);
    expect(finished(kitchen)).toBe(1);
  }, 60_000);
});

test('a timer rings where it was asked for, at whichever process that is, although Redis is full', async () => {
  const other = await startApi({ redisUrl: redis.url });
  await isReady(other);
  const [kitchen, bath] = [await enter('kitchen', other), await enter('bath')];
  const timer = await timers.set(1_500);
  await kitchen.event('timer.started');
  await redis.fill();

  const late = await lateMs(kitchen, timer);
  await kitchen.event('response.output_audio.started', 1, 10_000);
  await redis.mend();
  const rung = finished(bath);
  await other.stop();

  for (const each of late) expect(each).toBeLessThan(busySecondMs);
  expect([finished(kitchen), rung]).toEqual([1, 0]);
}, 30_000);

test('a timer rings in time although no worker lives', async () => {
  const kitchen = await enter('kitchen');
  await worker.stop();
  const timer = await timers.set(1_500);

  const late = await lateMs(kitchen, timer);
  await waitFor(async () => (await states()).includes('ringing'));
  worker = startWorker({ redisUrl: redis.url, limits: { sweepEveryMs } });
  await isReady(api);

  for (const each of late) expect(each).toBeLessThan(busySecondMs);
}, 30_000);
