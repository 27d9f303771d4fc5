/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogShipper } from '../../api/src/logs/log-shipper.ts';
import { connectRedis } from '../../api/src/redis/redis.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let store: Redis;

beforeAll(async () => {
  redis = await startRedis();
  store = await connectTo(redis.url);
  store.on('error', () => undefined); // A test takes it away.
});
beforeEach(() => store.flushall());
afterAll(async () => {
  store?.disconnect();
  await redis?.stop();
});

const start = () =>
  createLogShipper({
    redis: connectRedis({ url: redis.url, onError: () => undefined }),
    lossLine: (lost) => `lost ${lost}`,
  });

const lines = async () => (await store.xrange('hearth:logs', '-', '+')).map(([, [, line]]) => line);

test('the log receives lines in order, including the last ones of a process', async () => {
  const shipper = start();
  const written = Array.from({ length: 500 }, (_, index) => `line ${index}`);
  for (const line of written) shipper.push(`${line}\n`);
  await waitFor(async () => (await lines()).length === 500);

  shipper.push('goodbye\n');
  await shipper.close();

  expect(await lines()).toEqual([...written, 'goodbye']);
});

test('the log keeps about 5,000 lines', async () => {
  const shipper = start();
  for (let round = 0; round < 13; round += 1) {
    for (let index = 0; index < 500; index += 1) shipper.push(`line ${round * 500 + index}`);
    await waitFor(async () => (await lines()).includes(`line ${round * 500 + 499}`));
  }
  await shipper.close();

  expect(await store.xlen('hearth:logs')).toBeLessThanOrEqual(5_200);
});

test('lines beyond the buffer during an outage are dropped, counted and reported', async () => {
  const shipper = start();
  shipper.push('before');
  await waitFor(async () => (await lines()).length === 1);
  await redis.kill();
  for (let index = 0; index < 2_500; index += 1) shipper.push(`line ${index}`);
  await redis.revive();

  await waitFor(async () => (await lines()).includes('line 2499'));
  await shipper.close();

  const found = await lines();
  expect(found[0]).toBe('lost 1500');
  expect(found.slice(1)).toEqual(Array.from({ length: 1_000 }, (_, index) => `line ${index + 1_500}`));
});

test('a silent Redis delays no caller', async () => {
  const shipper = start();
  shipper.push('before');
  await waitFor(async () => (await lines()).length === 1);
  await redis.freeze();

  for (let index = 0; index < 100; index += 1) shipper.push(`line ${index}`);

  await expect(shipper.close()).resolves.toBeUndefined();
  await redis.thaw();
});
