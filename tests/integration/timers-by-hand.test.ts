import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf } from '../support/clients/caller.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let assistant: Assistant;
let timers: ReturnType<typeof openTimers>;

beforeAll(async () => {
  redis = await startRedis();
  assistant = await startAssistant({ redisUrl: redis.url });
  timers = openTimers(redis.url);
});
afterEach(async () => {
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
});
afterAll(async () => {
  timers?.close();
  await assistant?.stop();
  await redis?.stop();
});

const shownSchema = z.looseObject({ id: z.string(), due_at: z.string(), remaining_seconds: z.number() });
const oneSchema = z.object({ timer: shownSchema });
const set = (body: unknown) => assistant.call('/admin/timers', { method: 'POST', body });
const all = async () =>
  z.object({ timers: z.array(shownSchema) }).parse((await assistant.call('/admin/timers')).body).timers;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('a timer set by hand', () => {
  test('runs like a spoken one, and appears in answers', async () => {
    const place = { client: 'tablet', room: 'kitchen' };
    const answer = await set({ kind: 'timer', label: ' pasta ', duration_seconds: 600, ...place });

    const { timer } = oneSchema.parse(answer.body);
    expect(answer.status).toBe(201);
    expect(timer).toMatchObject({ label: 'pasta', duration_seconds: 600, state: 'running', ...place });
    expect(timer.remaining_seconds).toBeGreaterThan(595);
    expect(await all()).toMatchObject([{ id: timer.id }]);
    expect((await assistant.ask('What timers are set?', place)).text).toMatch(/pasta/);
    await assistant.ask('Undo that.', place);
    expect(await all()).toEqual([]);
  });

  test('rings', async () => {
    await set({ kind: 'timer', duration_seconds: 1 });

    await waitFor(async () => (await all()).some(({ state }) => state === 'ringing'));
  });

  test.each([
    ['alarm', null],
    ['reminder', 'call mum'],
  ])('is an %s at a time', async (kind, label) => {
    const due_at = inMs(3_600_000);

    const answer = await set({ kind, label, due_at });

    expect(answer.body).toMatchObject({ timer: { kind, label, due_at, room: null, duration_seconds: null } });
  });

  test.each([
    [{ kind: 'timer' }, 'duration_seconds'],
    [{ kind: 'timer', duration_seconds: 60, due_at: inMs(60_000) }, 'duration_seconds'],
    [{ kind: 'timer', duration_seconds: 0 }, 'duration_seconds'],
    [{ kind: 'timer', duration_seconds: 1e9 }, 'duration_seconds'],
    [{ kind: 'alarm', due_at: inMs(-60_000) }, 'due_at'],
    [{ kind: 'alarm', due_at: inMs(400 * 86_400_000) }, 'due_at'],
    [{ kind: 'alarm', due_at: 'soon' }, 'due_at'],
    [{ kind: 'command', duration_seconds: 60 }, 'kind'],
    [{ kind: 'timer', duration_seconds: 60, label: '<b>' }, 'label'],
    [{ kind: 'timer', duration_seconds: 60, label: 'x'.repeat(61) }, 'label'],
  ])('is refused: %j', async (body, param) => {
    const answer = await set(body);

    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request', param } }]);
    expect(await all()).toEqual([]);
  });

  test('is refused beyond the limit', async () => {
    for (let each = 0; each < 100; each += 1) await set({ kind: 'timer', duration_seconds: 600 });

    expect(errorOf(await set({ kind: 'timer', duration_seconds: 600 }))).toEqual({
      status: 409,
      code: 'not_possible',
    });
  });

  test('gets more time, is paused and resumed, and "undo that" reverts it', async () => {
    const place = { client: 'tablet' };
    const { timer } = oneSchema.parse((await set({ kind: 'timer', duration_seconds: 600, ...place })).body);
    const change = async (body: object) => {
      const options = { method: 'PATCH', body: { ...body, ...place } } as const;
      return oneSchema.parse((await assistant.call(`/admin/timers/${timer.id}`, options)).body).timer;
    };

    const longer = await change({ more_seconds: 60 });
    const paused = await change({ paused: true });
    const refused = await assistant.call(`/admin/timers/${timer.id}`, {
      method: 'PATCH',
      body: { paused: true },
    });
    const pausedLonger = await change({ more_seconds: 60 });
    const resumed = await change({ paused: false });
    await assistant.ask('Undo that.', place);

    expect(longer).toMatchObject({ state: 'running', duration_seconds: 660 });
    expect(longer.remaining_seconds).toBeGreaterThan(640);
    expect(paused).toMatchObject({ state: 'paused' });
    expect(errorOf(refused)).toEqual({ status: 409, code: 'not_possible' });
    expect(pausedLonger.remaining_seconds).toBeCloseTo(paused.remaining_seconds + 60, 1);
    expect(resumed).toMatchObject({ state: 'running' });
    expect(await all()).toMatchObject([{ state: 'paused' }]);
  });

  test.each([{}, { paused: true, more_seconds: 5 }, { more_seconds: 0 }, { paused: 'yes' }])(
    'is not changed by %j',
    async (body) => {
      const { timer } = oneSchema.parse((await set({ kind: 'timer', duration_seconds: 600 })).body);

      const answer = await assistant.call(`/admin/timers/${timer.id}`, { method: 'PATCH', body });

      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  test('that has ended cannot be changed', async () => {
    const options = { method: 'PATCH', body: { paused: true } } as const;

    expect(errorOf(await assistant.call('/admin/timers/nothing', options))).toEqual({
      status: 404,
      code: 'not_found',
    });
  });
});
