/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFileRewrite } from '../../api/src/redis/file-rewrite.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { startVoiceEngines } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const secret = 'zebracrossing';

let redis: OwnRedis;
let store: Redis;
let house: Awaited<ReturnType<typeof startVoiceEngines>>;
let assistant: Awaited<ReturnType<typeof startAssistant>>;

beforeAll(async () => {
  [redis, house] = await Promise.all([startRedis({ isKept: true }), startVoiceEngines()]);
  store = await connectTo(redis.url);
  assistant = await startAssistant({ ...house.urls, redisUrl: redis.url });
  house.llm.answers(() => `You said ${secret}.`);
});
beforeEach(() => store.del('hearth:file-rewrite'));
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await house?.stop();
  await redis?.stop();
});

/** The keys that hold the secret. */
async function keysWithSecret(): Promise<string[]> {
  const keys = await store.keys('hearth:*');
  const dumps = await Promise.all(keys.map((key) => contentOf(key)));
  return keys.filter((_key, at) => dumps[at]?.includes(secret));
}
async function contentOf(key: string): Promise<string> {
  const contents: Record<string, () => Promise<unknown>> = {
    string: () => store.get(key),
    hash: () => store.hgetall(key),
    list: () => store.lrange(key, 0, -1),
    stream: () => store.xrange(key, '-', '+'),
    zset: () => store.zrange(key, 0, '-1'),
    set: () => store.smembers(key),
  };
  const read = contents[await store.type(key)];
  return JSON.stringify((await read?.()) ?? null);
}
async function rewrites(): Promise<number> {
  const [, count] = /aof_rewrites:(\d+)/.exec(await store.info('persistence')) ?? [];
  return Number(count);
}

test.each([
  ['with its name', () => assistant.call('/admin/conversations/private', { method: 'DELETE' })],
  [
    'by its date',
    () =>
      assistant.call(`/admin/conversations?before=${new Date(Date.now() + 1_000).toISOString()}`, {
        method: 'DELETE',
      }),
  ],
  ['aloud', () => assistant.ask('Forget this conversation.', { client: 'private' })],
])('a conversation deleted %s leaves no word behind', async (_how, forget) => {
  await assistant.ask(`Remember the ${secret}, please.`, { client: 'private' });
  expect((await keysWithSecret()).length).toBeGreaterThan(1);
  const before = await rewrites();

  await forget();

  expect(await keysWithSecret()).toEqual([]);
  await waitFor(async () => (await rewrites()) > before, {
    what: 'Redis writes its file anew',
  });
});

test('the words of other conversations stay', async () => {
  await assistant.ask(`Remember the ${secret}, please.`, { client: 'other' });

  await assistant.call('/admin/conversations/private', { method: 'DELETE' });

  expect(await keysWithSecret()).toContain('hearth:conversation:other:exchanges');
});

test('the file is rewritten once for any number of deletions', async () => {
  const log = { warn: () => undefined, debug: () => undefined };
  const file = createFileRewrite({ redis: store, log, gatherMs: 10, retryDelayMs: 10 });
  const isIdle = async () => /aof_rewrite_in_progress:0/.test(await store.info('persistence'));
  await waitFor(isIdle, { what: 'no other rewrite runs' });
  await store.del('hearth:file-rewrite');
  const before = await rewrites();

  expect([await file.now(), await file.now()]).toEqual(['begun', 'later']);
  file.soon();
  await store.del('hearth:file-rewrite');

  await waitFor(async () => (await rewrites()) === before + 2, { what: 'it is made up for later' });
  file.stop();
});

test('a Redis that refuses is logged once', async () => {
  const told: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void told.push(line), debug: () => undefined };
  const refusing = Object.create(store, {
    bgrewriteaof: { value: () => Promise.reject(new Error('NOPERM this user has no permissions')) },
  });
  const file = createFileRewrite({ redis: refusing, log });

  expect([await file.now(), await file.now()]).toEqual(['never', 'never']);
  expect(told.length).toBe(1);
});
