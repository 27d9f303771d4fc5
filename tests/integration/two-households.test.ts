import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, type RunningApi, startApi, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let full: Assistant;
let empty: RunningApi;
let spy: Redis;
const heard: string[] = [];

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  spy = await connectTo(redis.url);
  spy.on('pmessage', (_pattern, channel) => heard.push(channel));
  await spy.psubscribe('*');
  empty = await startApi({ redisUrl: `${redis.url}/2`, llmUrl: llm.url });
  full = await startAssistant({ redisUrl: `${redis.url}/1`, llmUrl: llm.url });
});
afterAll(async () => {
  await full?.stop();
  await empty?.stop();
  spy?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

test('two households on one Redis receive nothing of each other', async () => {
  llm.answers(() => 'Hello.');
  const satellite = new WebSocket(`${empty.address.replace('http', 'ws')}/listen?room=kitchen`);
  const told: string[] = [];
  satellite.addEventListener('message', ({ data }) => told.push(String(data)));
  await waitFor(() => told.length > 0, { what: 'the satellite is connected' });

  expect(replyOf(await full.ask('How are you?'))).toBe('Hello.');
  expect(replyOf(await full.ask('Set a timer for ten minutes', { room: 'kitchen' }))).toContain(
    'ten minutes',
  );
  await full.call('/admin/pipeline', { method: 'PATCH', body: { speed: 1.1 } });
  const beats = heard.length;
  await waitFor(() => heard.length > beats + 10, { what: 'the workers have reported' });

  // Without a worker an engine is starting at first and failed after a while. It never works with the
  // other's.
  const { workers, engines } = await empty.health();
  expect({ workers, llm: engines.llm }).toMatchObject({ workers: 0, llm: { since: null, model: null } });
  expect(told.map((event) => JSON.parse(event).type)).toEqual(['session.created']);
  expect((await empty.call('/admin/pipeline')).body).toMatchObject({ revision: 0 });
  satellite.close();
});

// Processes of the previous version use these names. In the default database, an update may replace them one
// by one.
test('the channels of database 0 keep their old names', { tags: 'slow' }, async () => {
  const plain = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  heard.length = 0;

  await plain.ask('Set a timer for ten minutes');
  await waitFor(() => heard.includes('hearth:heartbeats'), { what: 'a worker reports' });
  await plain.stop();

  expect(heard).toContain('hearth:timer-news');
});
