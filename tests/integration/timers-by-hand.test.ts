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

describe('an alarm that repeats', () => {
  const change = (id: string, body: object) =>
    assistant.call(`/admin/timers/${id}`, { method: 'PATCH', body: { client: 'tablet', ...body } });
  const setAlarm = async (body: object) =>
    oneSchema.parse((await set({ kind: 'alarm', time: '07:00', ...body })).body).timer;
  const wallOf = (iso = '') =>
    new Date(iso).toLocaleString('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });

  test('gets another time, other days, another name and another room, and undo restores it', async () => {
    const before = await setAlarm({ days: ['MO', 'TU'] });

    const answer = await change(before.id, {
      time: '08:15',
      days: ['SA', 'SU'],
      label: 'late',
      room: 'attic',
    });

    const [after] = await all();
    expect(answer.status).toBe(200);
    expect(after).toMatchObject({ repeats: 'FREQ=WEEKLY;BYDAY=SA,SU', label: 'late', room: 'attic' });
    expect(wallOf(after?.due_at)).toBe('08:15');
    await assistant.ask('Undo that.', { client: 'tablet' });
    expect(await all()).toMatchObject([{ due_at: before.due_at, repeats: 'FREQ=WEEKLY;BYDAY=MO,TU' }]);
  });

  test('keeps its days with another time, and rings once at another moment', async () => {
    const { id } = await setAlarm({ days: ['FR'] });

    await change(id, { time: '06:30' });
    const [moved] = await all();
    const due_at = inMs(3_600_000);
    await change(id, { due_at });

    expect(moved).toMatchObject({ repeats: 'FREQ=WEEKLY;BYDAY=FR' });
    expect(wallOf(moved?.due_at)).toBe('06:30');
    expect(await all()).toMatchObject([{ repeats: null, due_at }]);
  });

  test('gets a last day, keeps it with other days, and loses it', async () => {
    const { id } = await setAlarm({ days: ['MO'] });
    const until = inMs(60 * 86_400_000).slice(0, 10);
    const last = `UNTIL=${until.replaceAll('-', '')}T235959Z`;

    await change(id, { until });
    const ended = await all();
    await change(id, { days: ['TU'] });
    const kept = await all();
    await change(id, { until: null });

    expect(ended).toMatchObject([{ repeats: `FREQ=WEEKLY;BYDAY=MO;${last}` }]);
    expect(kept).toMatchObject([{ repeats: `FREQ=WEEKLY;BYDAY=TU;${last}` }]);
    expect(await all()).toMatchObject([{ repeats: 'FREQ=WEEKLY;BYDAY=TU' }]);
    expect(errorOf(await change(id, { until: '2020-01-01' }))).toMatchObject({ code: 'not_possible' });
  });

  test('cannot be edited and paused at once, and a timer has no time of day', async () => {
    const { timer } = oneSchema.parse((await set({ kind: 'timer', duration_seconds: 600 })).body);

    expect(errorOf(await change(timer.id, { label: 'tea', paused: true }))).toMatchObject({
      code: 'invalid_request',
    });
    expect(errorOf(await change(timer.id, { time: '06:30' }))).toMatchObject({ code: 'not_possible' });
    expect((await change(timer.id, { label: 'tea' })).status).toBe(200);
  });
});

describe('a timer cancelled by hand', () => {
  const place = { client: 'tablet', room: 'kitchen' };
  const setOne = async (body: object) => oneSchema.parse((await set({ ...place, ...body })).body).timer;
  const change = (id: string, body: object) =>
    assistant.call(`/admin/timers/${id}`, { method: 'PATCH', body: { client: 'tablet', ...body } });
  const cancel = async (id: string) => {
    const answer = await assistant.call(`/admin/timers/${id}?client=tablet`, { method: 'DELETE' });
    expect([answer.status, await timers.store.all()]).toEqual([200, []]);
  };
  const restore = (id: string, client = 'tablet') =>
    assistant.call(`/admin/timers/${id}/restore?client=${client}`, { method: 'POST' });
  const unrevised = async () => (await timers.store.all()).map((timer) => ({ ...timer, revision: 0 }));

  test.each([
    ['a timer', { kind: 'timer', label: 'pasta', duration_seconds: 600 }, {}],
    ['a paused timer', { kind: 'timer', duration_seconds: 600 }, { paused: true }],
    ['a lengthened timer', { kind: 'timer', duration_seconds: 600 }, { more_seconds: 60 }],
    ['a repeating alarm', { kind: 'alarm', time: '07:00', days: ['MO', 'FR'], until: '2099-01-01' }, {}],
    ['a reminder', { kind: 'reminder', label: 'Anna, call mum', due_at: inMs(3_600_000) }, {}],
  ])('comes back as it was: %s', async (_name, body, edit) => {
    const { id } = await setOne(body);
    if (Object.keys(edit).length > 0) await change(id, edit);
    const before = await unrevised();
    await cancel(id);

    const answer = await restore(id);

    expect([answer.status, answer.body]).toMatchObject([200, { timer: { id } }]);
    expect(await unrevised()).toEqual(before);
  });

  test('comes back snoozed, and rings again', async () => {
    const { id } = await setOne({ kind: 'timer', duration_seconds: 1 });
    await waitFor(async () => (await all()).some(({ state }) => state === 'ringing'));
    await change(id, { more_seconds: 3 });
    const before = await unrevised();
    await cancel(id);

    await restore(id);

    expect(await unrevised()).toEqual(before);
    await waitFor(async () => (await all()).some(({ state }) => state === 'ringing'));
  });

  test('comes back by "undo that" as well', async () => {
    const { id } = await setOne({ kind: 'timer', label: 'pasta', duration_seconds: 600 });
    await cancel(id);

    expect((await assistant.ask('Undo that.', place)).text).toMatch(/pasta/);
    expect(await all()).toMatchObject([{ id, state: 'running' }]);
    expect(errorOf(await restore(id))).toEqual({ status: 409, code: 'not_possible' });
  });

  test('comes back once, from the conversation that cancelled it', async () => {
    const { id } = await setOne({ kind: 'timer', duration_seconds: 600 });
    await cancel(id);

    expect(errorOf(await restore(id, 'phone'))).toEqual({ status: 404, code: 'not_found' });
    expect((await restore(id)).status).toBe(200);
    expect(errorOf(await restore(id))).toEqual({ status: 409, code: 'not_possible' });
    expect(await all()).toHaveLength(1);
  });

  test('comes back after a restart of the server', async () => {
    const { id } = await setOne({ kind: 'timer', duration_seconds: 600 });
    await cancel(id);
    await assistant.stop();
    assistant = await startAssistant({ redisUrl: redis.url });

    expect((await restore(id)).status).toBe(200);
    expect(await all()).toMatchObject([{ id }]);
  });

  test('stays away once its time has passed, or after it rang', async () => {
    const soon = await setOne({ kind: 'timer', duration_seconds: 1 });
    await cancel(soon.id);
    const rung = await setOne({ kind: 'timer', duration_seconds: 1 });
    await waitFor(async () => (await all()).some(({ state }) => state === 'ringing'));
    await cancel(rung.id);

    expect(errorOf(await restore(soon.id))).toEqual({ status: 409, code: 'not_possible' });
    expect(errorOf(await restore(rung.id))).toEqual({ status: 404, code: 'not_found' });
    expect(errorOf(await restore('nothing'))).toEqual({ status: 404, code: 'not_found' });
    expect(await all()).toEqual([]);
  });

  test('comes back only for a token that may see it', async () => {
    const { body } = await assistant.call('/admin/tokens', { body: { name: 'phone', scope: 'talk' } });
    const { token } = z.object({ token: z.string() }).parse(body);
    const headers = { authorization: `Bearer ${token}` };
    const as = (path: string, method: 'DELETE' | 'POST', sent?: object) =>
      assistant.call(path, { method, headers, ...(sent && { body: sent }) });
    const others = await setOne({ kind: 'timer', duration_seconds: 600 });
    await cancel(others.id);
    const mine = await as('/admin/timers', 'POST', {
      kind: 'timer',
      duration_seconds: 600,
      client: 'tablet',
    });
    const { id } = oneSchema.parse(mine.body).timer;
    await as(`/admin/timers/${id}?client=tablet`, 'DELETE');

    const refused = await as(`/admin/timers/${others.id}/restore?client=tablet`, 'POST');
    const restored = await as(`/admin/timers/${id}/restore?client=tablet`, 'POST');

    expect(errorOf(refused)).toEqual({ status: 404, code: 'not_found' });
    expect(restored.status).toBe(200);
  });
});
