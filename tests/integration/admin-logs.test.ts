import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf } from '../support/clients/caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let store: Redis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 4 })]);
  store = await connectTo(redis.url);
  store.on('error', () => undefined); // A test takes Redis away.
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  llm.answers(() => 'Noted.');
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

const lineSchema = z.looseObject({
  id: z.string(),
  at: z.string(),
  level: z.string(),
  process: z.string(),
  message: z.string(),
  turn: z.string().nullable(),
});
type Line = z.infer<typeof lineSchema>;

async function logs(query: Record<string, string> = {}): Promise<Line[]> {
  const { body } = await assistant.call(`/admin/logs?${new URLSearchParams(query)}`);
  return z.object({ lines: z.array(lineSchema) }).parse(body).lines;
}

/** A log line of any process of the household. */
async function wrote(line: { msg: string; level?: string; process?: string; time?: string; turn?: string }) {
  const written = { level: 'info', process: 'worker', time: new Date().toISOString(), ...line };
  await store.xadd('hearth:logs', '*', 'line', JSON.stringify(written));
}

test('both processes log a turn from its request to its end', async () => {
  const { headers } = await assistant.ask('Where is Anna?', { client: 'anna' });
  const turn = String(headers['x-request-id']);

  // A turn that went through the queue logs the begin of its stage too, and may be answered before the end.
  const ends = async (): Promise<Line[] | false> => {
    const lines = await logs({ turn });
    const isStage = lines.some(({ stage, message }) => stage === 'think' && message === 'done');
    return isStage && lines.some(({ message }) => message === 'answered') && lines;
  };
  const lines = await waitFor(ends, { what: 'the last lines of the turn' });

  expect(new Set(lines.map(({ process }) => process))).toEqual(new Set(['api', 'worker']));
  expect(lines.every((line) => line.turn === turn)).toBe(true);
  expect(lines.some((line) => line['stage'] === 'think' && typeof line['ms'] === 'number')).toBe(true);
});

test('the search finds lines by level, process, time and text, the newest last', async () => {
  await wrote({ msg: 'first marked', level: 'warn', time: '2026-01-01T10:00:00.000Z' });
  await wrote({ msg: 'second MARKED', level: 'error', process: 'api', time: '2026-01-01T11:00:00.000Z' });
  await wrote({ msg: 'third marked', time: '2026-01-01T12:00:00.000Z' });
  const found = async (query: Record<string, string>) =>
    (await logs({ text: 'marked', ...query })).map(({ message }) => message.split(' ')[0]);

  expect(await found({})).toEqual(['first', 'second', 'third']);
  expect(await found({ level: 'warn' })).toEqual(['first', 'second']);
  expect(await found({ process: 'api' })).toEqual(['second']);
  expect(await found({ since: '2026-01-01T10:30:00Z', until: '2026-01-01T11:30:00+00:00' })).toEqual([
    'second',
  ]);
  expect(await found({ limit: '2' })).toEqual(['second', 'third']);
});

test('a hostile text remains plain text', async () => {
  await wrote({ msg: 'a (plain) line with [brackets] and \\ "quotes"' });
  const count = async (text: string) => (await logs({ text })).length;

  expect(await count('(plain)')).toBe(1);
  expect(await count('\\ "quotes"')).toBe(1);
  expect(await count('(a+)+$')).toBe(0);
  expect(await count('.*plain')).toBe(0);
  expect(await count(`*\r\nXRANGE hearth:logs - +`)).toBe(0);
});

test.each([
  ['level=loud', 'level'],
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['since=yesterday', 'since'],
  ['since=2016-12-31T23:59:60Z', 'since'],
  ['until=2016-12-31T23:59:60Z', 'until'],
  ['turn=', 'turn'],
  [`text=${'x'.repeat(201)}`, 'text'],
  ['process=redis', 'process'],
])('%s is refused', async (query, param) => {
  const answer = await assistant.call(`/admin/logs?${query}`);

  expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect(answer.body).toMatchObject({ error: { param } });
});

/** Reads server-sent events until it is stopped. */
function followLogs(query: string) {
  const stop = new AbortController();
  const events: { event: string; data: unknown }[] = [];
  const over = (async () => {
    const response = await fetch(`${assistant.address}/admin/logs?follow=true&${query}`, {
      signal: stop.signal,
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1];
        if (event) events.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? 'null') });
      }
    }
  })();
  over.catch(() => undefined);
  const messages = () => events.map(({ data }) => lineSchema.parse(data).message);
  return { events, messages, over, stop: () => stop.abort() };
}

test('a follower gets the past first, then each new line once', async () => {
  await wrote({ msg: 'followed 1' });
  const one = followLogs('text=followed');
  const other = followLogs('text=followed&limit=1');
  await waitFor(() => one.events.length === 1 && other.events.length === 1);

  for (const count of [2, 3, 4]) await wrote({ msg: `followed ${count}` });
  await waitFor(() => one.events.length >= 4 && other.events.length >= 4);

  expect(one.messages()).toEqual(['followed 1', 'followed 2', 'followed 3', 'followed 4']);
  expect(other.messages()).toEqual(one.messages());
  one.stop();
  other.stop();
});

test('a HEAD request for the log does not count as a follower', async () => {
  const address = `${assistant.address}/admin/logs?follow=true&text=seat`;
  const looked: Response[] = [];
  for (let count = 0; count < 33; count += 1) looked.push(await fetch(address, { method: 'HEAD' }));
  const follower = followLogs('text=seat');
  await wrote({ msg: 'a seat' });
  await waitFor(() => follower.events.length === 1);

  expect(new Set(looked.map(({ status }) => status))).toEqual(new Set([200]));
  follower.stop();
});

test('lines logged without Redis appear when it is back', async () => {
  await redis.kill();
  await waitFor(async () => (await assistant.health()).redis.state === 'failed');
  const answer = await assistant.call('/admin/logs');
  await redis.revive();

  const found = await waitFor(async () => {
    const lines = await logs({ turn: String(answer.headers['x-request-id']) });
    return lines.length > 0 && lines;
  });

  expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
  expect(found).toMatchObject([{ level: 'warn', message: 'answered', status: 503 }]);
});

test('a follower gets a goodbye when the server ends', async () => {
  const follower = followLogs('limit=1');
  await waitFor(() => follower.events.length > 0);

  await assistant.stop();

  await expect(follower.over).resolves.toBeUndefined();
});
