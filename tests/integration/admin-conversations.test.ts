import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conversationKeys, conversationsKey } from '../../api/src/conversations/conversation-store.ts';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const exchangeSchema = z.object({ user: z.string(), assistant: z.string(), at: z.iso.datetime() });
const listSchema = z.object({
  conversations: z.array(
    z.object({
      name: z.string(),
      turns: z.number(),
      last_at: z.iso.datetime(),
      exchanges: z.array(exchangeSchema).optional(),
    }),
  ),
});

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let store: Redis;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  store = await connectTo(redis.url);
});
beforeEach(() => store.flushdb());
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

const listed = async (query = '') =>
  listSchema.parse((await assistant.call(`/admin/conversations${query}`)).body).conversations;
const found = async (query = '') =>
  z
    .object({
      exchanges: z.array(exchangeSchema.extend({ conversation: z.string(), turn: z.string().nullable() })),
    })
    .parse((await assistant.call(`/admin/exchanges${query}`)).body).exchanges;
const pathOf = (name: string) => `/admin/conversations/${encodeURIComponent(name)}`;
const exchangesOf = ({ body }: Answer) =>
  z.object({ exchanges: z.array(exchangeSchema) }).parse(body).exchanges;
const forgottenBy = ({ body }: Answer) =>
  z.object({ forgotten_turns: z.number() }).parse(body).forgotten_turns;
const forget = (path: string) => assistant.call(path, { method: 'DELETE' });

/** Makes a stored turn older than it is. */
async function age(name: string, place: number, at: string): Promise<void> {
  const { exchanges } = conversationKeys(name);
  const line = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse((await store.lindex(exchanges, place)) ?? ''));
  await store.lset(exchanges, place, JSON.stringify({ ...line, at: Date.parse(at) }));
}

describe('the stored conversations', () => {
  test('are listed with the newest first', async () => {
    await assistant.ask('One?', { client: 'anna' });
    await assistant.ask('Two?', { client: 'bert' });
    await assistant.ask('Three?', { client: 'anna' });

    const found = await listed();

    expect(found.map(({ name, turns }) => [name, turns])).toEqual([
      ['anna', 2],
      ['bert', 1],
    ]);
  });

  test('are listed in pages', async () => {
    for (const client of ['a', 'b', 'c', 'd']) await assistant.ask('Well?', { client });

    const found = await listed('?limit=2&offset=1');

    expect(found.map(({ name }) => name)).toEqual(['c', 'b']);
  });

  test("show the person's words without the context line", async () => {
    await assistant.ask('What is (1 + 2.) really?', { client: 'anna', room: 'the (old.) room' });

    const [exchange] = exchangesOf(await assistant.call(pathOf('anna')));

    expect(exchange?.user).toBe('What is (1 + 2.) really?');
    expect(Date.now() - Date.parse(exchange?.at ?? '')).toBeLessThan(10_000);
  });

  test.each([
    'a/../b',
    '..%2f',
    'x y?&#',
    'ümläut 🐱',
    '%',
    'n'.repeat(200),
    '道'.repeat(200),
    '🐱'.repeat(100),
    ':exchanges',
    'hearth:conversation:x',
    '__proto__',
  ])('are found and deleted under the name %j', async (name) => {
    await assistant.ask('Do you hear me?', { client: name });
    await assistant.ask('Do you hear me?', { client: 'somebody else' });

    const read = await assistant.call(pathOf(name));
    const forgotten = await forget(pathOf(name));

    expect(exchangesOf(read)).toHaveLength(1);
    expect(forgottenBy(forgotten)).toBe(1);
    expect((await listed()).map((each) => each.name)).toEqual(['somebody else']);
  });

  test('can be deleted under a name that a URL cannot contain', async () => {
    await assistant.ask('Do you hear me?', { client: '..' });

    const forgotten = await forget('/admin/conversations?name=..');

    expect(forgottenBy(forgotten)).toBe(1);
    expect(await listed()).toEqual([]);
  });

  test('are not in the next prompt after their deletion', async () => {
    await assistant.ask('My name is Anna.', { client: 'anna' });
    await forget(pathOf('anna'));

    await assistant.ask('What is my name?', { client: 'anna' });

    expect(llm.calls.at(-1)?.prompt).not.toContain('My name is Anna.');
  });

  test('can lose the turns before a day, and keep the later ones', async () => {
    await assistant.ask('Old?', { client: 'anna' });
    await assistant.ask('New?', { client: 'anna' });
    await assistant.ask('Old too?', { client: 'bert' });
    await age('anna', 0, '2020-01-01T00:00:00Z');
    await age('bert', 0, '2020-01-01T00:00:00Z');

    const forgotten = await forget('/admin/conversations?before=2024-01-01T00:00:00%2B01:00');

    expect(forgottenBy(forgotten)).toBe(2);
    expect((await listed()).map(({ name, turns }) => [name, turns])).toEqual([['anna', 1]]);
    await assistant.ask('And now?', { client: 'anna' });
    expect(llm.calls.at(-1)?.prompt).toContain('New?');
    expect(llm.calls.at(-1)?.prompt).not.toContain('Old?');
  });

  test('can lose a single turn, which the model never sees again', async () => {
    for (const text of ['One?', 'Secret?', 'Three?']) await assistant.ask(text, { client: 'anna' });
    const turn = (await found()).find(({ user }) => user === 'Secret?')?.turn;

    const forgotten = await forget(`/admin/conversations?name=anna&turn=${turn}`);
    const again = await forget(`/admin/conversations?name=anna&turn=${turn}`);
    await assistant.ask('And now?', { client: 'anna' });

    expect([forgottenBy(forgotten), forgottenBy(again)]).toEqual([1, 0]);
    expect((await found()).map(({ user }) => user)).toEqual(['And now?', 'Three?', 'One?']);
    expect(llm.calls.at(-1)?.prompt).toMatch(/One\?[\s\S]*Three\?/);
    expect(llm.calls.at(-1)?.prompt).not.toContain('Secret?');
  });

  test('do not return to the prompt when an earlier one is deleted', async () => {
    for (const text of ['One?', 'Two?', 'Three?']) await assistant.ask(text, { client: 'anna' });
    await store.hset(conversationKeys('anna').meta, 'promptFrom', '2');
    const [, two, one] = await found();

    for (const each of [one, two]) await forget(`/admin/conversations?name=anna&turn=${each?.turn}`);
    await assistant.ask('And now?', { client: 'anna' });

    expect(llm.calls.at(-1)?.prompt).toContain('Three?');
  });

  test('can lose a period, and nothing before or after it', async () => {
    for (const text of ['Old?', 'Between?', 'New?']) await assistant.ask(text, { client: 'anna' });
    await age('anna', 0, '2020-01-01T00:00:00Z');
    await age('anna', 1, '2020-01-02T12:00:00Z');

    const day = 'after=2020-01-02T00:00:00Z&before=2020-01-03T00:00:00Z';
    const forgotten = await forget(`/admin/conversations?${day}`);

    expect(forgottenBy(forgotten)).toBe(1);
    expect((await found()).map(({ user }) => user)).toEqual(['New?', 'Old?']);
  });

  test('are found by their words, over all of them and in pages', async () => {
    await assistant.ask('Is it pasta?', { client: 'anna' });
    await assistant.ask('Is it rice?', { client: 'bert' });
    await assistant.ask('PASTA again?', { client: 'bert' });

    const pasta = await found('?text=pasta');
    const ofAnna = await found('?conversation=anna');
    const [newest] = await found('?limit=1');
    const rest = await found(`?before=${newest?.at}`);

    expect(pasta.map(({ conversation, user }) => [conversation, user])).toEqual([
      ['bert', 'PASTA again?'],
      ['anna', 'Is it pasta?'],
    ]);
    expect(ofAnna.map(({ user }) => user)).toEqual(['Is it pasta?']);
    expect(newest?.user).toBe('PASTA again?');
    expect(rest.map(({ user }) => user)).toEqual(['Is it rice?', 'Is it pasta?']);
  });

  test('are all in the export, with their words', async () => {
    const names = Array.from({ length: 250 }, (_, number) => `visitor ${number}`);
    for (const client of names) {
      const { exchanges } = conversationKeys(client);
      await store.rpush(
        exchanges,
        JSON.stringify({ user: 'Hello.', assistant: 'Hi.', at: 1_700_000_000_000 }),
      );
      await store.zadd(conversationsKey, '1700000000000', client);
    }

    const found = await listed('?words=true');

    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(names));
    expect(found.every(({ exchanges }) => exchanges?.[0]?.user === 'Hello.')).toBe(true);
  });

  test('have an empty export in a new house', async () => {
    expect(await listed('?words=true')).toEqual([]);
  });

  test('that expired long ago leave no name', async () => {
    await store.zadd(conversationsKey, '1', 'long ago');

    await assistant.ask('Anybody there?', { client: 'anna' });

    expect(await store.zrange(conversationsKey, '0', '-1')).toEqual(['anna']);
  });
});

describe('a wrong request for conversations', () => {
  test('finds none that is not stored', async () => {
    expect(errorOf(await assistant.call(pathOf('nobody')))).toEqual({ status: 404, code: 'not_found' });
  });

  test.each([
    '',
    '?before=yesterday',
    // A leap second, which computers do not accept as a time.
    '?before=2016-12-31T23:59:60Z',
    '?before=2024-01-01T00:00:00Z&name=anna',
    '?after=2024-01-01T00:00:00Z',
    '?turn=7d0f5c0e',
    '?before=2024-01-01T00:00:00Z&turn=7d0f5c0e',
    '?name=',
    '?before=',
  ])('deletes nothing for %j', async (query) => {
    await assistant.ask('Keep this.', { client: 'anna' });

    const refused = await forget(`/admin/conversations${query}`);

    expect(errorOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
    expect(await listed()).toHaveLength(1);
  });

  test.each(['?limit=0', '?limit=1001', '?limit=x', '?offset=-1', '?words=perhaps'])(
    'with %j is refused',
    async (query) => {
      expect(errorOf(await assistant.call(`/admin/conversations${query}`))).toEqual({
        status: 400,
        code: 'invalid_request',
      });
    },
  );

  test('with a name beyond the limit is refused', async () => {
    expect((await assistant.call(pathOf('n'.repeat(201)))).status).toBeGreaterThanOrEqual(400);
  });
});

describe('an unreadable line', () => {
  const broken = ['{"user": "half', '5', '"words"', '[]', '{"user":1}', ''];

  test.each(broken)('(%s) blocks no conversation, and is deleted with the others', async (line) => {
    const { exchanges, actions, meta } = conversationKeys('anna');
    await assistant.ask('One?', { client: 'anna' });
    await store.rpush(exchanges, line);
    await store.hincrby(meta, 'count', 1);
    await store.lpush(actions, line);
    await store.set('hearth:conversation:anna:home', line);

    const answer = await assistant.ask('Two?', { client: 'anna' });

    expect(answer.status).toBe(200);
    const one = await assistant.call(pathOf('anna'));
    expect(exchangesOf(one).map(({ user }) => user)).toEqual(['One?', 'Two?']);
    expect((await listed('?words=true'))[0]?.exchanges).toHaveLength(2);
    expect((await assistant.ask('Undo that', { client: 'anna' })).status).toBe(200);
    expect(forgottenBy(await forget('/admin/conversations?before=2040-01-01T00:00:00Z'))).toBeGreaterThan(2);
    expect(await store.exists(exchanges, actions)).toBe(0);
  });

  test('is deleted together with older ones, but not with newer ones', async () => {
    const { exchanges, actions } = conversationKeys('anna');
    await assistant.ask('One?', { client: 'anna' });
    await store.lpush(exchanges, '{"user": "half');
    await store.lpush(actions, '{"at":', `{"at":${Date.now()}}`);

    expect(forgottenBy(await forget('/admin/conversations?before=2026-01-01T00:00:00Z'))).toBe(1);

    expect(await store.llen(exchanges)).toBe(1);
    expect(await store.llen(actions)).toBe(1);
  });

  test('is logged once, with its number and without its words', async () => {
    const { exchanges } = conversationKeys('berta');
    await assistant.ask('One?', { client: 'berta' });
    await store.rpush(exchanges, '{"user": "secret');

    for (const _ of [1, 2, 3]) await assistant.call(pathOf('berta'));

    const told = assistant.log.map((line) => JSON.parse(line)).filter(({ key }) => key === exchanges);
    expect(told).toMatchObject([{ level: 'warn', lines: 1 }]);
    expect(assistant.log.join('')).not.toContain('secret');
  });

  test('of the settings history is skipped', async () => {
    await assistant.call('/admin/pipeline', { method: 'PATCH', body: { speed: 1.1 } });
    await store.lpush('hearth:pipeline:history', '{"revision":');

    const { status, body } = await assistant.call('/admin/pipeline/history');

    expect(status).toBe(200);
    expect(body).toMatchObject({ changes: [{ revision: 1 }] });
  });
});

describe('a misunderstood question', () => {
  const mistakesSchema = z.object({
    mistakes: z.array(z.object({ user: z.string(), turn: z.string(), understood: z.looseObject({}) })),
  });
  const reported = async () => mistakesSchema.parse((await assistant.call('/admin/mistakes')).body).mistakes;
  const report = (body: object) => assistant.call('/admin/mistakes', { method: 'POST', body });
  const askWrong = async (text: string, client: string) => {
    await assistant.ask(text, { client, room: 'kitchen' });
    const [exchange] = await found(`?conversation=${client}`);
    return { conversation: client, turn: exchange?.turn ?? '' };
  };

  test('is stored once with its interpretation, and can be deleted', async () => {
    const time = await askWrong('What time is it?', 'anna');
    const sum = await askWrong('What is 2 plus 2?', 'bert');

    for (const mistake of [time, sum, time]) expect((await report(mistake)).status).toBe(200);
    const before = await reported();
    const removed = await forget(`/admin/mistakes?turn=${sum.turn}`);
    const after = await reported();
    const cleared = await forget('/admin/mistakes');

    expect(before.map(({ user }) => user)).toEqual(['What is 2 plus 2?', 'What time is it?']);
    expect(before[1]?.understood).toMatchObject({ via: 'skills', rule: 'clock: time', room: 'kitchen' });
    expect(after.map(({ turn }) => turn)).toEqual([time.turn]);
    expect([removed.body, cleared.body]).toEqual([{ removed: 1 }, { removed: 1 }]);
    expect(await reported()).toEqual([]);
  });

  test('is explained by the full request that its words abbreviate', async () => {
    await assistant.ask('Tell me a joke', { client: 'anna', room: 'kitchen' });
    await report(await askWrong('Another one', 'anna'));

    const [{ user, understood } = { user: '' }] = await reported();

    expect([user, understood]).toMatchObject(['Another one', { via: 'skills', rule: 'jokes: tell' }]);
  });

  test('is deleted with the question', async () => {
    const [one, other] = [await askWrong('One?', 'anna'), await askWrong('Other?', 'bert')];
    await report(one);
    await report(other);

    await forget(`/admin/conversations?name=anna&turn=${one.turn}`);

    expect((await reported()).map(({ turn }) => turn)).toEqual([other.turn]);
    await forget(`/admin/conversations?before=${new Date(Date.now() + 60_000).toISOString()}`);
    expect(await reported()).toEqual([]);
  });

  test('is refused if Hearth does not remember it', async () => {
    const answer = await report({ conversation: 'anna', turn: 'never' });

    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' });
  });
});
