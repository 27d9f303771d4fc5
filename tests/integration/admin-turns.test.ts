import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf } from '../support/clients/caller.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import {
  type Assistant,
  isReady,
  type RunningApi,
  startApi,
  startAssistant,
} from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let store: Redis;
let llm: FakeLlm;
let assistant: Assistant;
let other: RunningApi;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 4 })]);
  store = await connectTo(redis.url);
  const parts = { redisUrl: redis.url, llmUrl: llm.url };
  assistant = await startAssistant(parts);
  other = await startApi(parts);
  await isReady(other);
});
afterAll(async () => {
  await other?.stop();
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

const turnSchema = z.object({
  id: z.string(),
  source: z.string(),
  room: z.string().nullable(),
  via: z.string().nullable(),
  outcome: z.string(),
  timings: z.record(z.string(), z.number()),
  spans: z.array(z.object({ name: z.string(), start_ms: z.number(), took_ms: z.number() })),
});
const turnsSchema = z.object({
  turns: z.array(turnSchema),
  percentiles: z.record(z.string(), z.object({ p50: z.number(), p95: z.number(), count: z.number() })),
  hours: z.array(z.looseObject({})),
});

async function turns(query: Record<string, string> = {}) {
  return turnsSchema.parse((await assistant.call(`/admin/turns?${new URLSearchParams(query)}`)).body);
}

async function noted(id: string) {
  return waitFor(async () => {
    const { status, body } = await assistant.call(`/admin/turns/${id}`);
    return status === 200 && turnSchema.parse(body);
  });
}

const idOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['x-request-id']);

test("a turn's record has the time of each step", async () => {
  llm.answers(() => says('One two three.', { intervalMs: 30 }));

  const turn = await noted(idOf(await assistant.ask('Count?', { room: 'kitchen' })));

  expect(turn).toMatchObject({ source: 'ask', room: 'kitchen', via: 'local', outcome: 'done' });
  const { total = 0, llm: llmMs = 0, 'llm-first': firstMs = 0 } = turn.timings;
  expect(firstMs).toBeLessThanOrEqual(llmMs);
  expect(llmMs).toBeLessThanOrEqual(total);
  const span = turn.spans.find(({ name }) => name === 'llm');
  expect(span?.took_ms).toBeCloseTo(llmMs, 0);
  // The worker may end a span after the api has sent the answer, so only starts are compared.
  for (const { start_ms } of turn.spans) {
    expect(start_ms).toBeGreaterThanOrEqual(0);
    expect(start_ms).toBeLessThanOrEqual(total);
  }
});

test('an unanswered turn is recorded with its reason', async () => {
  llm.answers(() => ({ response }) => {
    response.destroy();
  });

  const answer = await assistant.ask('Why?');
  const turn = await noted(idOf(answer));

  expect(turn).toMatchObject({ via: null, outcome: errorOf(answer).code });
  expect((await turns({ outcome: 'failed' })).turns.map(({ id }) => id)).toEqual([turn.id]);
});

test('turns are found by source and room, and their percentiles count answers only', async () => {
  llm.answers(() => 'Yes.');
  await noted(idOf(await assistant.ask('Really?', { room: 'bath' })));

  const bath = await turns({ room: 'bath', source: 'ask' });
  const voice = await turns({ source: 'voice' });

  expect(bath.turns).toHaveLength(1);
  expect(voice.turns).toEqual([]);
  const { turns: done, percentiles } = await turns({ outcome: 'done' });
  expect(percentiles['total']?.count).toBe(done.length);
  expect(percentiles['total']?.p50).toBeLessThanOrEqual(percentiles['total']?.p95 ?? 0);
});

test('the last 200 turns are stored', async () => {
  const { turns: before } = await turns({ limit: '1' });
  await store.xtrim('hearth:turns', 'MAXLEN', 1);
  const entry = { ...before[0], createdAt: 0, timings: {}, revision: 0 };
  for (let count = 0; count < 250; count += 1) {
    await store.xadd('hearth:turns', '*', 'turn', JSON.stringify({ ...entry, id: `old-${count}` }));
  }

  const id = idOf(await assistant.ask('And now?'));
  await noted(id);

  expect(await store.xlen('hearth:turns')).toBe(200);
  expect((await turns({ limit: '200' })).turns).toHaveLength(200);
});

test('an unknown turn is not found', async () => {
  const answer = await assistant.call('/admin/turns/nobody');

  expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' });
});

test('every api reports the same numbers to Prometheus', async () => {
  await noted(idOf(await assistant.ask('Once more?')));
  await noted(idOf(await other.ask('what time is it')));
  const counters = async ({ call }: Pick<RunningApi, 'call'>) =>
    (await call('/admin/metrics')).text.split('\n').filter((line) => /^hearth_turn/.test(line));

  const [one, two] = [await counters(assistant), await counters(other)];

  expect(two).toEqual(one);
  expect(one.join('\n')).toMatch(/hearth_turns_total\{source="ask",via="skills",outcome="done"\} [1-9]/);
  const buckets = one.filter(
    (line) => line.startsWith('hearth_turn_part_seconds_bucket') && /part="total"/.test(line),
  );
  const values = buckets.map((line) => Number(line.split(' ').at(-1)));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

test('metrics cover queues, engines, satellites and the memory of each process', async () => {
  const text = await waitFor(async () => {
    const { text: told } = await assistant.call('/admin/metrics');
    return /process="worker"/.test(told) && told;
  });

  expect(text).toMatch(/hearth_queue_jobs\{queue="think",state="running"\} 0/);
  expect(text).toMatch(/hearth_engine_state\{engine="llm",state="ready"\} 1/);
  expect(text).not.toMatch(/engine="stt"/);
  expect(text).toMatch(/hearth_satellites\{process="api",instance="[0-9a-f]{8}"\} 0/);
  expect(text).toMatch(/hearth_process_resident_bytes\{process="worker",instance="[0-9a-f]{8}"\} \d{7,}/);
});
