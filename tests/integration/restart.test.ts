/** @module-tag slow */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import { type Caller, createCaller, errorOf, replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { isReady, startApi } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let caller: Caller;
let port: number;
let watched: ReturnType<typeof watchOver>[];

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 8 })]);
});
beforeEach(async () => {
  port = await freePort();
  caller = createCaller(`http://127.0.0.1:${port}`);
  watched = [];
});
afterEach(async () => {
  await Promise.all(watched.map((each) => each.stop()));
  await caller.close();
});
afterAll(async () => {
  await llm?.stop();
  await redis?.stop();
});

/** A program that is restarted whenever it ends, as Docker and `make run` do. */
function watchOver(entry: 'server' | 'worker', more: Record<string, string> = {}) {
  const codes: (number | null)[] = [];
  let isOver = false;
  let running: RunningProcess | undefined;
  const env = { REDIS_URL: redis.url, LLM_URL: llm.url, PORT: String(port), LOG_LEVEL: 'info', ...more };
  const over = (async () => {
    while (!isOver) {
      running = await startProcess(entry, env);
      codes.push(await running.exit);
    }
  })();
  return {
    /** How it ended, each time. */
    codes,
    output: () => running?.output() ?? '',
    async stop() {
      isOver = true;
      running?.child.kill('SIGKILL');
      await over;
    },
  };
}

async function start(entries: ('server' | 'worker')[], env: Record<string, string> = {}) {
  watched = entries.map((entry) => watchOver(entry, env));
  await waitFor(() => caller.health(), { what: 'the api answers', withinMs: 40_000 });
  await isReady(caller, entries.filter((entry) => entry === 'worker').length);
}

const processSchema = z.object({ instance: z.string(), draining: z.boolean() });
const restartSchema = z.object({ api: processSchema, workers: z.array(processSchema) });
const running = async () => restartSchema.parse((await caller.call('/admin/restart')).body);

const restart = (what: string) => caller.call('/admin/restart', { body: { what } });

/** Asks continuously until told to stop; returns every answer. */
function askAllTheTime(atOnce: number) {
  let isOver = false;
  const statuses: string[] = [];
  const one = async () => {
    while (!isOver) {
      const { status, body } = await caller.ask('What is it?');
      statuses.push(status === 200 ? 'answered' : JSON.stringify(body));
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, one));
  return {
    statuses,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

test.each([1, 2])('restarting %i of the workers under load fails no question', async (count) => {
  llm.answers(() => says('It is well.', { intervalMs: 50 }));
  await start(['server', ...Array.from({ length: count }, () => 'worker' as const)]);
  const before = await waitFor(async () => {
    const { workers } = await running();
    return workers.length === count && workers;
  });
  const load = askAllTheTime(6);
  let fewest = count;
  const watch = setInterval(async () => {
    const { workers } = await running().catch(() => ({ workers: before }));
    fewest = Math.min(fewest, workers.filter(({ draining }) => !draining).length);
  }, 100);

  const answer = await restart('workers');
  const workersEnded = () => watched.slice(1).every(({ codes }) => codes.length === 1);
  await waitFor(workersEnded, { what: 'every worker has ended', withinMs: 40_000 });
  await waitFor(
    async () => {
      const now = (await running()).workers.filter(({ draining }) => !draining);
      return (
        now.length === count && now.every(({ instance }) => !before.some((old) => old.instance === instance))
      );
    },
    { what: 'every worker is back' },
  );
  clearInterval(watch);
  await load.stop();

  expect(answer.status).toBe(202);
  expect(watched.slice(1).flatMap(({ codes }) => codes)).toEqual(before.map(() => 0));
  expect(new Set(load.statuses)).toEqual(new Set(['answered']));
  expect(load.statuses.length).toBeGreaterThanOrEqual(6);
  if (count > 1) expect(fewest).toBeGreaterThanOrEqual(1);
});

test('the api finishes its accepted work, refuses the rest, and comes back', {
  timeout: 120_000,
}, async () => {
  llm.answers(() => says('This takes a while.', { intervalMs: 400 }));
  await start(['server', 'worker']);
  await waitFor(async () => (await running()).workers.length === 1);
  const { api: before } = await running();
  const asked = Array.from({ length: 5 }, () => caller.ask('How long?'));
  await waitFor(async () => (await caller.health()).in_flight.turns === 5);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/listen?client=kitchen`);
  const closed = once(socket, 'close');
  await once(socket, 'open');

  const answer = await restart('api');
  const refusals: Awaited<ReturnType<typeof caller.ask>>[] = [];
  const refused = await waitFor(() => {
    // A question accepted just before the drain is answered much later, so the probes do not wait.
    const probe = caller.ask('And now?').then((next) => next.status === 503 && refusals.push(next));
    probe.catch(() => undefined);
    return refusals[0];
  });
  const [code] = await closed;
  const answers = await Promise.all(asked);
  await waitFor(() => watched[0]?.codes.length === 1, { what: 'the api has ended' });
  await waitFor(async () => (await running()).api.instance !== before.instance);

  expect(answer.status).toBe(202);
  expect(answer.text).toContain('The api accepts no new requests, finishes its work and starts again');
  expect(errorOf(refused).code).toBe('restarting');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(code).toBe(1001);
  expect(answers.map(replyOf)).toEqual(asked.map(() => 'This takes a while.'));
  expect(watched[0]?.codes).toEqual([0]);
  expect(replyOf(await caller.ask('Back again?'))).toBe('This takes a while.');
});

test('a part that cannot restart from here is refused, with the command for it', async () => {
  const api = await startApi({ redisUrl: redis.url });
  const restart = (what: string) => api.call('/admin/restart', { body: { what } });

  const answer = await restart('stt');
  const other = await restart('redis');
  await api.stop();

  expect(errorOf(answer)).toEqual({ status: 409, code: 'not_possible' });
  expect(answer.text).toContain('docker compose restart stt');
  expect(errorOf(other)).toEqual({ status: 400, code: 'invalid_request' });
});

test('an alarm rings at the wall-clock time of a time zone that the settings chose', {
  timeout: 120_000,
}, async () => {
  await start(['server', 'worker'], { TZ: '' });
  const body = { time_zone: 'Asia/Kathmandu' };
  await caller.call('/admin/pipeline', { method: 'PATCH', body });

  await restart('all');
  await waitFor(() => watched.every(({ codes }) => codes.length === 1), { withinMs: 40_000 });
  const zoneSchema = z.object({ configured: z.object({ time_zone: z.string() }) });
  const zone = async () => zoneSchema.parse(await caller.health()).configured.time_zone;
  await waitFor(async () => (await zone()) === 'Asia/Kathmandu', {
    what: 'the new time zone applies',
    withinMs: 40_000,
  });
  await isReady(caller, 1);
  const answer = await caller.ask('Set an alarm for 7:10 am.');
  const { timers } = z
    .object({ timers: z.array(z.object({ due_at: z.string() })) })
    .parse((await caller.call('/admin/timers')).body);

  expect(answer.text).toContain('7:10');
  // Kathmandu is 5:45 hours ahead of UTC all year.
  expect(timers.map(({ due_at }) => due_at.slice(11, 16))).toEqual(['01:25']);
});
