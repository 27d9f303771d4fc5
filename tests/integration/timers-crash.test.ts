/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimerNews } from '../../api/src/timers/timer-news.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { type RunningWorker, startApi, startWorker } from '../support/servers/assistant.ts';
import { connectTo, startRedis } from '../support/servers/own-redis.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

/** Often enough that tests need not wait for it. */
const sweepIntervalMs = 500;

type Household = Awaited<ReturnType<typeof openHousehold>>;

/** A persistent Redis, with its timers and their events. It belongs to one test. */
async function openHousehold() {
  const redis = await startRedis({ isKept: true });
  const timers = openTimers(redis.url);
  const news = await connectTo(redis.url);
  const told: { change: TimerNews['change']; id: string; lateMs: number }[] = [];
  const workers: RunningWorker[] = [];
  const processes: RunningProcess[] = [];
  news.on('error', () => undefined);
  await news.subscribe('hearth:timer-news');
  news.on('message', (_channel, message) => {
    const { change, timer }: TimerNews = JSON.parse(message);
    told.push({ change, id: timer.id, lateMs: Date.now() - timer.dueAt });
  });
  const rung = () => told.filter(({ change }) => change === 'ringing');

  return {
    redis,
    timers,
    rung,
    workers,
    worker(): RunningWorker {
      const started = startWorker({ redisUrl: redis.url, limits: { sweepIntervalMs } });
      workers.push(started);
      return started;
    },
    async workerProcess(): Promise<RunningProcess> {
      const started = await startProcess('worker', { REDIS_URL: redis.url });
      processes.push(started);
      const isUp = () => started.output().includes('worker is ready');
      await waitFor(isUp, { what: 'a worker', withinMs: 90_000 });
      return started;
    },
    /** Waits until this many have rung. */
    async haveRung(count: number, withinMs = 60_000) {
      await waitFor(() => rung().length >= count, { what: `${count} timers ring`, withinMs });
      return rung();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(processes.map(({ end }) => end('SIGKILL')));
      news.disconnect();
      timers.close();
      await redis.stop();
    },
  };
}

// The tests run in parallel, because most of their time is waiting. Their households exist before the first
// test, because a worker that starts in this process blocks everything else in it.
const households: Household[] = [];
const untouched: Household[] = [];
const untouchedWithWorker: Household[] = [];
beforeAll(async () => {
  for (let count = 0; count < 13; count += 1) households.push(await openHousehold());
  untouched.push(...households.slice(0, 3));
  untouchedWithWorker.push(...households.slice(3));
  for (const { worker } of untouchedWithWorker) worker();
});
afterAll(() => Promise.all(households.map((household) => household.stop())));

/** A separate household for each test. */
function take(all: Household[]): Household {
  const household = all.pop();
  if (!household) throw new Error('there is no household left');
  return household;
}

const pause = (ms: number) => {
  const until = performance.now() + ms;
  return waitFor(() => performance.now() >= until, { withinMs: ms + 5_000 });
};
/** Negative if one rang before it was due. */
const minLateMs = (times: { lateMs: number }[]) => Math.min(...times.map(({ lateMs }) => lateMs));

describe.concurrent('a timer rings once and not too early', () => {
  test('with three workers and forty timers at the same moment', async () => {
    const { timers, rung, worker, haveRung } = take(untouchedWithWorker);
    for (let count = 0; count < 2; count += 1) worker();
    const dueAt = Date.now() + 2_500;
    const set = Array.from({ length: 40 }, () => timers.set(2_500, { dueAt }));
    const ids = (await Promise.all(set)).map(({ id }) => id);

    const all = await haveRung(40);
    await pause(3 * sweepIntervalMs); // All workers look at them too.

    expect(
      rung()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(minLateMs(all)).toBeGreaterThanOrEqual(0);
  });

  test('although its job was never added', async () => {
    const { timers, haveRung } = take(untouchedWithWorker);
    await timers.set(2_000, { hasJob: false });

    const [one] = await haveRung(1);

    expect(one?.lateMs).toBeGreaterThanOrEqual(0);
  });

  test('although its job was lost', async () => {
    const { timers, haveRung } = take(untouchedWithWorker);
    const timer = await timers.set(2_000);
    await timers.store.jobs.remove(timer);

    const [one] = await haveRung(1);

    expect(one?.lateMs).toBeGreaterThanOrEqual(0);
  });

  test('although Redis has lost all jobs, as after a restore of an older file', async () => {
    const { timers, haveRung } = take(untouchedWithWorker);
    await Promise.all(Array.from({ length: 10 }, () => timers.set(2_000)));
    await timers.queue.obliterate({ force: true });

    expect(minLateMs(await haveRung(10))).toBeGreaterThanOrEqual(0);
  });

  test('at its new time after a change, with the old job still there', async () => {
    const { timers, haveRung } = take(untouchedWithWorker);
    const timer = await timers.set(1_000, { hasJob: false });
    await timers.store.jobs.add(timer);
    const action = { turn: 'later', at: Date.now(), kind: 'timer.change' } as const;
    const later = { dueAt: timer.dueAt + 1_500 };
    await timers.store.change({ action, conversation: null }, timer, later);
    await timers.store.jobs.add(timer);

    const [one] = await haveRung(1);

    expect(one?.lateMs).toBeGreaterThanOrEqual(0);
  });

  test('although it is ten seconds or more away: the wait for it breaks no connection', async () => {
    // In a process of its own: a stall of this one would break connections, too.
    const { timers, workerProcess, haveRung } = take(untouched);
    const { output } = await workerProcess();
    await timers.set(13_000);

    const [one] = await haveRung(1);

    expect(one?.lateMs).toBeGreaterThanOrEqual(0);
    expect(output()).not.toContain('queue error');
  });
});

describe.concurrent('a worker that is killed', () => {
  test('around their due times loses none and repeats none', async () => {
    const { timers, rung, worker, workerProcess, haveRung } = take(untouched);
    const victim = await workerProcess();
    const killedAt = Date.now() + 2_000;
    const dueAt = [-400, -50, -5, 0, 5, 50, 400].map((fromKillMs) => killedAt + fromKillMs);
    const each = dueAt.flatMap((at) => Array.from({ length: 10 }, () => at));
    await Promise.all(each.map((at) => timers.set(at - Date.now(), { dueAt: at })));

    await pause(killedAt - Date.now());
    await victim.end('SIGKILL');
    worker();
    const all = await haveRung(each.length);
    await pause(3 * sweepIntervalMs);

    expect(rung()).toHaveLength(each.length);
    expect(new Set(rung().map(({ id }) => id)).size).toBe(each.length);
    expect(minLateMs(all)).toBeGreaterThanOrEqual(0);
  });

  test('and restarts after the due time rings the overdue ones, and says how late', async () => {
    const { timers, worker, haveRung } = take(untouched);
    await timers.set(500);
    await pause(1_500);

    worker();

    expect(await haveRung(1)).toHaveLength(1);
  });
});

describe.concurrent('Redis', () => {
  test('that was killed before the due time rings it after its return', async () => {
    const { redis, timers } = take(untouchedWithWorker);
    await timers.set(3_000);
    await redis.kill();
    await pause(1_000);
    await redis.revive();

    // The event may come before this test listens again; the record stays.
    const rings = await waitFor(
      async () => (await timers.store.all()).find(({ state }) => state === 'ringing') ?? false,
      { what: 'it rings' },
    );
    expect((rings.ringingAt ?? 0) - rings.dueAt).toBeGreaterThanOrEqual(0);
  });

  test('that is away over the due time rings it once it is back', async () => {
    const { redis, timers, rung } = take(untouchedWithWorker);
    await timers.set(1_000);
    await redis.kill();
    await pause(2_000);
    await redis.revive();

    await waitFor(async () => (await timers.store.all()).some(({ state }) => state === 'ringing'));
    await pause(3 * sweepIntervalMs);

    expect(rung().length).toBeLessThanOrEqual(1);
    expect((await timers.store.all()).map(({ state, revision }) => `${state} ${revision}`)).toEqual([
      'ringing 2',
    ]);
  });

  test('that hangs over the due time rings it when it continues', async () => {
    const { redis, timers, rung } = take(untouchedWithWorker);
    await timers.set(1_000);
    await redis.freeze();
    await pause(2_500);
    await redis.thaw();

    await waitFor(async () => (await timers.store.all()).some(({ state }) => state === 'ringing'));

    expect(rung().length).toBeLessThanOrEqual(1);
  });
});

test.concurrent('another api continues the ringing of one that is killed', async () => {
  const { redis, timers, rung } = take(untouchedWithWorker);
  const first = await startApi({ redisUrl: redis.url });
  const before = await connectListen(first.address, { client: 'kitchen-satellite', room: 'kitchen' });
  await timers.set(1_000);
  await before.event('response.output_audio.started');
  before.terminate();
  await first.stop();

  const second = await startApi({ redisUrl: redis.url });
  const after = await connectListen(second.address, { client: 'kitchen-satellite', room: 'kitchen' });
  await after.event('response.output_audio.started', 0, 15_000);
  await after.close();
  await second.stop();

  expect(rung()).toHaveLength(1);
});
