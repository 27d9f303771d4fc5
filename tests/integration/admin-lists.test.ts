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

const put = (name: string, items: unknown) =>
  assistant.call('/admin/lists', { method: 'POST', body: { name, items } });
const rename = (path: string, text: unknown) =>
  assistant.call(`/admin/lists/${path}`, { method: 'PATCH', body: { text } });
const shopping = { key: 'shopping', name: 'shopping', items: [milk, eggs] };
const bread = { key: 'rye bread', text: 'Rye bread' };

describe('an item added by hand', () => {
  test('is appended once', async () => {
    const first = await put('shopping', ['Rye bread', 'Eggs!']);
    const again = await put('Shopping', ['rye  bread']);

    expect([first.status, first.body]).toEqual([
      200,
      { list: { ...shopping, items: [milk, eggs, bread] }, added: [bread] },
    ]);
    expect(again.body).toEqual({ list: { ...shopping, items: [milk, eggs, bread] }, added: [] });
    expect((await assistant.ask('What is on the shopping list?')).text).toContain('Rye bread');
  });

  test('creates a missing list, even an empty one', async () => {
    const { body } = await put('Garden  plans', []);

    expect(body).toEqual({ list: { key: 'garden plans', name: 'Garden plans', items: [] }, added: [] });
    expect((await assistant.ask('Add tulips to the garden plans list.')).text).toContain('tulips');
  });

  test.each([
    ['shopping', [''], 'items.0'],
    ['shopping', ['milk', '!?'], 'items.1'],
    ['shopping', ['<b>'], 'items.0'],
    ['shopping', ['x'.repeat(101)], 'items.0'],
    ['shopping', [7], 'items.0'],
    ['shopping', undefined, 'items'],
    ['', ['milk'], 'name'],
    ['?!', ['milk'], 'name'],
    ['{x}', ['milk'], 'name'],
    ['x'.repeat(41), ['milk'], 'name'],
  ])('is refused as a whole: %s, %j', async (name, items, param) => {
    const before = await lists();

    const { status, body } = await put(name, items);

    expect([status, body]).toMatchObject([400, { error: { code: 'invalid_request', param } }]);
    expect(await lists()).toEqual(before);
  });

  test('is refused when the list is full', async () => {
    const many = Array.from({ length: 200 }, (_none, at) => `thing ${at}`);

    expect(errorOf(await put('shopping', many))).toEqual({ status: 409, code: 'not_possible' });
    for (let at = 2; at < 50; at += 1) await put(`list ${at}`, []);
    expect(errorOf(await put('one more', []))).toEqual({ status: 409, code: 'not_possible' });
    expect((await put('shopping', ['bread'])).status).toBe(200);
  });
});

describe('a rename by hand', () => {
  test('changes one item in its place', async () => {
    const { body } = await rename('shopping?item=oat%20milk', ' Rye bread ');

    expect(body).toEqual({ list: { ...shopping, items: [bread, eggs] } });
    expect(await lists()).toEqual({ lists: [packing, { ...shopping, items: [bread, eggs] }] });
  });

  test('may change only the spelling of an item', async () => {
    const { body } = await rename('shopping?item=eggs', 'EGGS');

    expect(body).toEqual({ list: { ...shopping, items: [milk, { key: 'eggs', text: 'EGGS' }] } });
  });

  test('may change a whole list, with all of its items', async () => {
    const { body } = await rename('shopping', 'Saturday market');

    expect(body).toEqual({ list: { key: 'saturday market', name: 'Saturday market', items: [milk, eggs] } });
    expect(await lists()).toEqual({
      lists: [packing, { key: 'saturday market', name: 'Saturday market', items: [milk, eggs] }],
    });
    expect((await assistant.ask('What is on the Saturday market list?')).text).toContain('eggs');
  });

  test('leads both names to the list', async () => {
    await rename('shopping', 'Groceries');

    await assistant.ask('Add bread to groceries.');
    await assistant.ask('Add tea to the shopping list.');

    expect(await lists()).toMatchObject({
      lists: [
        { name: 'Groceries', items: [{}, {}, { text: 'bread' }, { text: 'tea' }] },
        { name: 'packing' },
      ],
    });
  });

  test('leaves the old name for a new list', async () => {
    await rename('packing', 'Norway');
    await put('packing', ['rope']);

    await assistant.ask('Add soap to the packing list.');

    // Both items may bear the same millisecond, so their order is open.
    const items = expect.toSatisfy(
      (all: { text: string }[]) =>
        all
          .map(({ text }) => text)
          .toSorted()
          .join() === 'rope,soap',
    );
    expect(await lists()).toMatchObject({ lists: [{ name: 'Norway' }, { name: 'packing', items }, {}] });
  });

  test.each([
    ['shopping?item=eggs', 'Oat-Milk', 409, 'not_possible'],
    ['shopping', 'Packing', 409, 'not_possible'],
    ['shopping?item=caviar', 'eggs', 404, 'not_found'],
    ['nothing', 'something', 404, 'not_found'],
    ['shopping?item=eggs', '?', 400, 'invalid_request'],
    ['shopping', '<script>', 400, 'invalid_request'],
    ['shopping', 'x'.repeat(41), 400, 'invalid_request'],
    ['shopping', 7, 400, 'invalid_request'],
  ])('is refused: %s as %s', async (path, text, status, code) => {
    const before = await lists();

    expect(errorOf(await rename(path, text))).toEqual({ status, code });
    expect(await lists()).toEqual(before);
  });

  test('is not reverted by "undo that"', async () => {
    await rename('packing?item=tent', 'big tent');

    await assistant.ask('Undo that.');

    expect(await lists()).toMatchObject({ lists: [{ items: [{ text: 'big tent' }] }, {}] });
  });
});

describe('the lists', () => {
  test('are returned by name, with their items', async () => {
    expect(await lists()).toEqual({
      lists: [packing, { key: 'shopping', name: 'shopping', items: [milk, eggs] }],
    });
  });

  test('lose one item', async () => {
    const { body } = await remove('shopping?item=oat%20milk');

    expect(body).toEqual({ removed: [milk] });
    expect(await lists()).toEqual({ lists: [packing, { key: 'shopping', name: 'shopping', items: [eggs] }] });
  });

  test('are deleted with all of their items', async () => {
    const { body } = await remove('shopping');

    expect(body).toEqual({ removed: [milk, eggs] });
    expect(await lists()).toEqual({ lists: [packing] });
  });

  test.each(['nothing', 'shopping?item=caviar', '..%2fshopping', '%F0%9F%90%B1'])(
    'do not change without %s',
    async (path) => {
      const before = await lists();

      const { status, body } = await remove(path);

      expect([status, body]).toEqual([200, { removed: [] }]);
      expect(await lists()).toEqual(before);
    },
  );

  test.each(['shopping?item=', `${'x'.repeat(201)}`, `shopping?item=${'x'.repeat(401)}`])(
    'are not found by %s',
    async (path) => {
      expect(errorOf(await remove(path))).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  test('do not restore by voice items that were removed by hand', async () => {
    await remove('packing');

    await assistant.ask('Undo that.');

    expect(await lists()).not.toMatchObject({ lists: [packing, {}] });
  });
});
