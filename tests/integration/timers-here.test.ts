import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Timer } from '../../api/src/timers/timer.ts';
import { createTimersHere, type TimersHere } from '../../api/src/timers/timers-here.ts';
import { fakeHouseholdClock } from '../support/fakes/household-clock.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

const minuteMs = 60_000;

let redis: OwnRedis;
let timers: ReturnType<typeof openTimers>;
let here: TimersHere;
let pasta: Timer;
let household: ReturnType<typeof fakeHouseholdClock>;

beforeAll(async () => {
  redis = await startRedis();
  timers = openTimers(redis.url);
  await waitFor(() => timers.redis.status === 'ready');
});
beforeEach(async () => {
  household = fakeHouseholdClock(Date.now());
  const { clock } = household;
  here = createTimersHere({
    timers: timers.store,
    ringMs: () => 10 * minuteMs,
    onError: () => undefined,
    clock,
  });
  pasta = await timers.set(minuteMs, { hasJob: false });
  here.read(await timers.store.all());
});
afterEach(async () => {
  await redis.mend();
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
});
afterAll(async () => {
  timers?.close();
  await redis?.stop();
});

/** Runs the timers' check at a time. */
const tendAt = (at: number) => {
  household.passUntil(at);
  return here.tend();
};
/** A satellite plays it at a time. */
const hearAt = (id: string, at: number) => {
  household.passUntil(at);
  here.noteHeard(id);
};
const stateHere = () => here.all().map(({ state }) => state);
const kept = async () => (await timers.store.all())[0];
/** Does the same as a worker, and announces it. */
async function rungByWorker(now: number): Promise<void> {
  await timers.store.ring(pasta, now);
  const timer = await timers.store.read(pasta.id);
  if (timer) here.onNews({ change: 'ringing', timer, turn: '' });
}

test('the api leaves a due timer to the workers for a moment, then rings it', async () => {
  await redis.fill();

  const early = tendAt(pasta.dueAt + 399);
  const late = tendAt(pasta.dueAt + 400);

  expect(early).toEqual([]);
  expect(late).toMatchObject([{ change: 'ringing', timer: { id: pasta.id, state: 'ringing' } }]);
  expect(tendAt(pasta.dueAt + 500)).toEqual([]);
});

test('the api keeps the record of a timer that a worker has rung', async () => {
  await rungByWorker(pasta.dueAt + 20);

  expect(tendAt(pasta.dueAt + minuteMs)).toEqual([]);
  expect(here.all()).toEqual([await kept()]);
});

test('a timer that is not stopped is missed after ten minutes, and recorded when possible', async () => {
  await redis.fill();
  tendAt(pasta.dueAt + 400);
  hearAt(pasta.id, pasta.dueAt + 500);

  const before = tendAt(pasta.dueAt + 10 * minuteMs);
  const after = tendAt(pasta.dueAt + 10 * minuteMs + 1_000);
  await redis.mend();
  await here.write();

  expect(before).toEqual([]);
  expect(after).toMatchObject([{ change: 'missed' }]);
  expect(await kept()).toMatchObject({
    state: 'missed',
    ringingAt: pasta.dueAt + 400,
    heardAt: pasta.dueAt + 500,
  });
});

test('a timer that was stopped here does not ring again when a worker rings it later', async () => {
  await redis.loseDisk();
  tendAt(pasta.dueAt + 400);
  here.silence(pasta.id);
  await redis.mend();

  await rungByWorker(pasta.dueAt + minuteMs);
  const rings = stateHere();
  await here.write();

  expect(rings).toEqual([]);
  expect(await kept()).toBeUndefined();
});

test('a timer that rang here since its due time counts as rung, though a worker recorded it first', async () => {
  await redis.fill();
  tendAt(pasta.dueAt + 400);
  hearAt(pasta.id, pasta.dueAt + 500);
  await redis.mend();
  await rungByWorker(pasta.dueAt + 3 * minuteMs);
  await here.write();

  expect(await kept()).toMatchObject({
    state: 'ringing',
    ringingAt: pasta.dueAt + 400,
    heardAt: pasta.dueAt + 500,
  });
});

test('a timer that was paused at its last moment is silent again, and does not ring when Redis is back', async () => {
  await redis.loseDisk();
  tendAt(pasta.dueAt + 400);
  await redis.mend();
  const action = { turn: 'pause', at: Date.now(), kind: 'timer.pause' } as const;
  await timers.store.change({ action, conversation: null }, pasta, { leftMs: 1_000 });
  here.read(await timers.store.all());
  await here.write();

  expect(stateHere()).toEqual(['paused']);
  expect(here.nextInMs()).toBeNull();
  expect(await kept()).toMatchObject({ state: 'paused', leftMs: 1_000 });
});

test('a timer that was stopped here runs again after it gets a new time', async () => {
  await redis.loseDisk();
  tendAt(pasta.dueAt + 400);
  here.silence(pasta.id);
  await redis.mend();
  const action = { turn: 'later', at: Date.now(), kind: 'timer.change' } as const;
  await timers.store.change({ action, conversation: null }, pasta, { dueAt: pasta.dueAt + minuteMs });
  here.read(await timers.store.all());
  await here.write();

  expect(stateHere()).toEqual(['running']);
  expect(await kept()).toMatchObject({ state: 'running', dueAt: pasta.dueAt + minuteMs });
});

test.each([3_600_000, -3_600_000])(
  'a step of the clock by %d ms moves no running or ringing timer here',
  async (byMs) => {
    household.set(byMs);
    const early = tendAt(pasta.dueAt + byMs + 399);
    const late = tendAt(pasta.dueAt + byMs + 400);
    hearAt(pasta.id, pasta.dueAt + byMs + 500);
    household.set(-byMs);
    const ringing = tendAt(pasta.dueAt + 10 * minuteMs);
    const missed = tendAt(pasta.dueAt + 10 * minuteMs + 1_000);

    expect([early, ringing]).toEqual([[], []]);
    expect(late).toMatchObject([{ change: 'ringing', timer: { id: pasta.id, state: 'ringing' } }]);
    expect(missed).toMatchObject([{ change: 'missed' }]);
  },
);
