import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/clients/caller.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let assistant: Assistant;
let store: Redis;

beforeAll(async () => {
  redis = await startRedis();
  assistant = await startAssistant({ redisUrl: redis.url });
  store = await connectTo(redis.url);
});
beforeEach(async () => {
  await store.flushdb();
  await assistant.ask('Add oat milk and eggs to the shopping list.');
  await assistant.ask('Create a packing list.');
  await assistant.ask('Add a tent to the packing list.');
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await redis?.stop();
});

const lists = async () => (await assistant.call('/admin/lists')).body;
const remove = (path: string) => assistant.call(`/admin/lists/${path}`, { method: 'DELETE' });

const packing = { key: 'packing', name: 'packing', items: [{ key: 'tent', text: 'tent' }] };
const eggs = { key: 'eggs', text: 'eggs' };
const milk = { key: 'oat milk', text: 'oat milk' };

describe('the lists', () => {
  test('are told by name, with what is on them', async () => {
    expect(await lists()).toEqual({
      lists: [packing, { key: 'shopping', name: 'shopping', items: [milk, eggs] }],
    });
  });

  test('lose one thing', async () => {
    const { body } = await remove('shopping?item=oat%20milk');

    expect(body).toEqual({ removed: [milk] });
    expect(await lists()).toEqual({ lists: [packing, { key: 'shopping', name: 'shopping', items: [eggs] }] });
  });

  test('go with all that is on them', async () => {
    const { body } = await remove('shopping');

    expect(body).toEqual({ removed: [milk, eggs] });
    expect(await lists()).toEqual({ lists: [packing] });
  });

  test.each(['nothing', 'shopping?item=caviar', '..%2fshopping', '%F0%9F%90%B1'])(
    'stay as they are without %s',
    async (path) => {
      const before = await lists();

      const { status, body } = await remove(path);

      expect([status, body]).toEqual([200, { removed: [] }]);
      expect(await lists()).toEqual(before);
    },
  );

  test.each(['shopping?item=', `${'x'.repeat(201)}`, `shopping?item=${'x'.repeat(401)}`])(
    'are not asked for by %s',
    async (path) => {
      expect(errorOf(await remove(path))).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  test('give back by word of mouth nothing that was taken off by hand', async () => {
    await remove('packing');

    await assistant.ask('Undo that.');

    expect(await lists()).not.toMatchObject({ lists: [packing, {}] });
  });
});
