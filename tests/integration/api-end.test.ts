import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let api: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  api = await startApi({ redisUrl: redis.url });
});
afterAll(async () => {
  await api?.stop();
  await redis?.stop();
});

// Browsers open such connections in advance to save time later.
test('an unused connection does not delay the shutdown', async () => {
  const silent = connect(api.port, '127.0.0.1');
  await once(silent, 'connect');
  await api.call('/health');

  const closed = once(silent, 'close');
  await api.stop();

  expect(await closed).toEqual([false]);
});
