import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Redis } from 'ioredis';
import { OpenAI } from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { restoreSnapshot, takeSnapshot } from '../../api/src/backup/snapshot.ts';
import { type Caller, type CallOptions, errorOf, replyOf } from '../support/clients/caller.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, type RunningApi, startApi, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { placeSoundProgram, startSatelliteProgram } from '../support/servers/satellite-program.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { waitFor } from '../support/wait-for.ts';

const owner = 'Correct-Horse-Battery-Staple';

let redis: OwnRedis;
let store: Redis;
let llm: FakeLlm;
let assistant: Assistant;
let other: RunningApi;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  store = await connectTo(redis.url);
  store.on('error', () => undefined); // Some tests take Redis away.
  const parts = { redisUrl: redis.url, llmUrl: llm.url, env: { SERVICE_TOKEN: owner } };
  assistant = await startAssistant(parts);
  other = await startApi(parts);
  // On a busy machine a process may have lost Redis again for a moment.
  for (const api of [assistant, other])
    await waitFor(async () => (await api.call('/admin/tokens', as(owner))).status === 200);
});
beforeEach(() => llm.answers(() => 'Noted.'));
afterEach(async () => {
  for (const { name } of await listed()) await revoke(name);
});
afterAll(async () => {
  await other?.stop();
  await assistant?.stop();
  await llm?.stop();
  store?.disconnect();
  await redis?.stop();
});

const as = (token: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, authorization: `Bearer ${token}` },
});
const madeSchema = z.object({ name: z.string(), scope: z.string(), made_at: z.string(), token: z.string() });
const listSchema = z.object({
  tokens: z.array(
    z.object({
      name: z.string(),
      scope: z.string(),
      made_by: z.string().nullable(),
      last_used_at: z.string().nullable(),
      last_used_from: z.string().nullable(),
    }),
  ),
});

const tryToMake = (name: string, scope = 'talk', by = owner) =>
  assistant.call('/admin/tokens', as(by, { body: { name, scope } }));
async function make(name: string, scope = 'talk', by = owner): Promise<string> {
  const answer = await tryToMake(name, scope, by);
  expect(answer.status).toBe(201);
  const { token } = madeSchema.parse(answer.body);
  await waitFor(async () => (await other.call('/v1/models', as(token))).status === 200);
  return token;
}
async function listed() {
  return listSchema.parse((await assistant.call('/admin/tokens', as(owner))).body).tokens;
}
const revoke = (name: string, at: Caller = assistant, by = owner) =>
  at.call(`/admin/tokens/${encodeURIComponent(name)}`, as(by, { method: 'DELETE' }));

describe('a device token', () => {
  test('is shown once, and stored as a hash only', async () => {
    const token = await make('kitchen');
    await assistant.ask('Hello?', {}, as(token));

    const kept = await store.keys('*');
    const dumps = await Promise.all(kept.map((key) => store.dumpBuffer(key)));
    const listing = await assistant.call('/admin/tokens', as(owner));

    expect(token).toMatch(/^hearth_[\w-]{43}$/);
    expect(kept).toContain('hearth:tokens');
    expect(dumps.filter((dump) => dump?.includes(token.slice(8)))).toEqual([]);
    expect(listing.text).not.toContain(token.slice(8));
    expect(listing.text).not.toMatch(/[0-9a-f]{64}/);
    expect([...assistant.log, ...other.log].join('')).not.toContain(token.slice(8));
  });

  test('is listed with its last use, which is written at most once a minute', async () => {
    const token = await make('kitchen', 'look');
    await waitFor(async () => (await listed())[0]?.last_used_at);
    const writes = async () => /cmdstat_hset:calls=(\d+)/.exec(await store.info('commandstats'))?.[1];
    const before = await writes();

    for (let count = 0; count < 50; count += 1) await assistant.call('/v1/models', as(token));
    const [kitchen] = await listed();

    expect(kitchen).toMatchObject({ name: 'kitchen', scope: 'look', made_by: 'SERVICE_TOKEN' });
    expect(kitchen?.last_used_from).toBe('127.0.0.1');
    expect(Math.abs(Date.now() - Date.parse(kitchen?.last_used_at ?? ''))).toBeLessThan(61_000);
    // Both processes have recorded it once; 50 calls write nothing else of a token.
    expect(Number(await writes()) - Number(before)).toBeLessThanOrEqual(1);
  });

  test('has a unique name, and their maximum is 100', async () => {
    await make('kitchen');
    expect(errorOf(await tryToMake('kitchen', 'look'))).toEqual({ status: 409, code: 'token_exists' });
    expect(errorOf(await tryToMake('SERVICE_TOKEN'))).toEqual({ status: 409, code: 'token_exists' });
    for (let count = 1; count < 100; count += 1)
      expect((await tryToMake(`device ${count}`)).status).toBe(201);

    expect(errorOf(await tryToMake('one more'))).toEqual({ status: 409, code: 'too_many_tokens' });
    expect(await listed()).toHaveLength(100);
  });

  test.each([
    '',
    'a/b',
    '.',
    '..',
    ' kitchen',
    'kitchen ',
    "kitchen'",
    'a\nb',
    'x'.repeat(41),
    '"',
    '-a',
    'a%2fb',
  ])('cannot be named %j', async (name) => {
    expect(errorOf(await tryToMake(name))).toEqual({ status: 400, code: 'invalid_request' });
  });

  test.each(['Küche', "Anna's tablet", 'Anna’s phone', 'hall_2', 'a.b-c', '居間', 'x'.repeat(40)])(
    'may be named %s',
    async (name) => {
      const token = await make(name);

      expect((await listed()).map((each) => each.name)).toEqual([name]);
      expect((await revoke(name)).status).toBe(200);
      expect(errorOf(await assistant.call('/v1/models', as(token)))).toEqual({
        status: 401,
        code: 'unauthorized',
      });
    },
  );

  test('that may administer creates others, and revokes itself with an answer', async () => {
    const admin = await make('office', 'administer');
    await make('hall', 'talk', admin);
    expect((await listed()).map(({ name, made_by }) => [name, made_by])).toEqual([
      ['hall', 'office'],
      ['office', 'SERVICE_TOKEN'],
    ]);

    expect((await revoke('office', assistant, admin)).body).toMatchObject({
      name: 'office',
      scope: 'administer',
    });
    expect(errorOf(await revoke('hall', assistant, admin))).toEqual({ status: 401, code: 'unauthorized' });
    expect(errorOf(await revoke('office'))).toEqual({ status: 404, code: 'not_found' });
  });

  test('works while Redis is away, and the owner gets that error instead of a list', async () => {
    const token = await make('kitchen');
    await redis.kill();
    try {
      expect((await assistant.call('/v1/models', as(token))).status).toBe(200);
      expect(errorOf(await assistant.call('/admin/tokens', as(token)))).toMatchObject({ status: 403 });
      expect(errorOf(await assistant.call('/admin/tokens', as(owner)))).toMatchObject({ status: 503 });
    } finally {
      await redis.revive();
    }
    await waitFor(async () => (await assistant.call('/admin/tokens', as(owner))).status === 200);
  });
});

describe('a revoked token', () => {
  test('ends its sockets in every process within two seconds, and no others', async () => {
    const hall = await make('hall');
    const bath = await make('bath');
    const connected = await Promise.all([
      connectListen(assistant.address, { client: 'a', token: hall }),
      connectListen(other.address, { client: 'b', token: hall }),
      connectListen(other.address, { client: 'c', token: bath }),
      connectListen(other.address, { client: 'd', token: owner }),
    ]);
    const [here, there, neighbour, owners] = connected;

    await revoke('hall');
    const closed = await Promise.all([here.closed, there.closed]);

    expect(closed.map(({ code, reason }) => [code, reason])).toEqual([
      [4001, 'the token was revoked'],
      [4001, 'the token was revoked'],
    ]);
    expect([neighbour.isOpen(), owners.isOpen()]).toEqual([true, true]);
    await Promise.all([neighbour.close(), owners.close()]);
  });

  test('ends its streams in every process', async () => {
    const token = await make('office', 'look');
    const follow = async ({ address }: { address: string }) => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await fetch(`${address}/admin/logs?follow=true&limit=1`, { headers });
      const reader = body?.getReader();
      const read = async (): Promise<'ended'> => ((await reader?.read())?.done === false ? read() : 'ended');
      return { end: read().catch(() => 'cut') };
    };
    const [here, there] = [await follow(assistant), await follow(other)];

    await revoke('office');
    const ends = await Promise.all([here.end, there.end]);

    expect(ends).toEqual(['cut', 'cut']);
  });

  test('ends a running answer', async () => {
    const token = await make('hall');
    llm.answers(() => says('Once upon a time. '.repeat(500), { intervalMs: 50 }));
    const client = new OpenAI({ baseURL: `${other.address}/v1`, apiKey: token, maxRetries: 0 });
    const messages = [{ role: 'user', content: 'Tell me a story.' } as const];
    const stream = await client.chat.completions.create({ model: 'assistant', messages, stream: true });
    const heard = (async () => {
      for await (const _ of stream) await revoke('hall');
    })();

    await expect(heard).rejects.toThrow();
    await waitFor(() => other.openTurns() === 0);
  });
});

describe('a backup', () => {
  test('restores the tokens of its time, and revokes later ones', async () => {
    const before = await make('kitchen');
    const kept = [];
    for await (const each of takeSnapshot(store)) kept.push(each);
    await revoke('kitchen');
    const since = await make('guest');
    const guest = await connectListen(other.address, { client: 'a', token: since });
    expect((await assistant.call('/v1/models', as(before))).status).toBe(401);

    await restoreSnapshot(store, Readable.from(kept));

    expect((await guest.closed).code).toBe(4001);
    await waitFor(async () => (await assistant.call('/v1/models', as(before))).status === 200);
    expect((await other.call('/v1/models', as(since))).status).toBe(401);
    expect((await listed()).map(({ name }) => name)).toEqual(['kitchen']);
    expect(assistant.log.join('')).toContain('household restored from a backup');
  });
});

describe('a token that may only talk', () => {
  const prompts = () => llm.calls.map(({ prompt }) => prompt).join('\n');

  test("does not continue another token's conversation", async () => {
    const hall = await make('hall');
    const bath = await make('bath');
    await assistant.ask('My secret is a parrot.', { client: 'anna' }, as(owner));
    await assistant.ask('My wish is a whale.', { client: 'anna' }, as(bath));
    const before = llm.calls.length;

    for (const client of ['anna', 'bath/anna', 'hall/../anna', '']) {
      expect(replyOf(await assistant.ask('What did I say?', { client }, as(hall)))).toBe('Noted.');
    }
    const chat = { model: 'assistant', messages: [{ role: 'user', content: 'What did I tell?' }] };
    await assistant.call('/v1/chat/completions', as(hall, { body: { ...chat, user: 'anna' } }));
    const headers = { 'x-openwebui-chat-id': 'anna' };
    await assistant.call('/v1/chat/completions', as(hall, { body: chat, headers }));

    const asked = llm.calls.slice(before).map(({ prompt }) => prompt);
    expect(asked.length).toBe(6);
    expect(asked.filter((prompt) => /parrot|whale/.test(prompt))).toEqual([]);
    const { body } = await assistant.call('/admin/conversations', as(owner));
    const names = z.object({ conversations: z.array(z.object({ name: z.string() })) }).parse(body);
    expect(names.conversations.map(({ name }) => name).toSorted()).toEqual(
      ['anna', 'bath/anna', 'hall/anna', 'hall/api', 'hall/bath/anna', 'hall/../anna'].toSorted(),
    );
  });

  test('continues its own, from each of its addresses', async () => {
    const hall = await make('hall');
    await assistant.ask('My name is Ben.', { client: 'tablet' }, as(hall));

    await other.ask('What is my name?', { client: 'hall/tablet' }, as(hall));

    expect(llm.calls.at(-1)?.prompt).toContain('My name is Ben.');
    expect(prompts()).not.toContain('hall/hall');
  });

  test('does not replace another satellite', async () => {
    const hall = await make('hall');
    const kitchen = await connectListen(assistant.address, { client: 'kitchen', token: owner });
    const guest = await connectListen(assistant.address, { client: 'kitchen', token: hall });

    guest.send({ type: 'session.update', session: { client: 'bedroom', room: 'hall' } });
    const created = await guest.event('session.created');
    const updated = await guest.event('session.updated');

    expect([created.event.session.client, updated.event.session.client]).toEqual([
      'hall/kitchen',
      'hall/bedroom',
    ]);
    expect(kitchen.isOpen()).toBe(true);
    await Promise.all([kitchen.close(), guest.close()]);
  });

  test('sees and stops only the timers that it has set', async () => {
    const hall = await make('hall');
    const look = await make('panel', 'look');
    const timers = openTimers(redis.url);
    await waitFor(() => timers.redis.status === 'ready');
    const own = await timers.set(600_000, { client: 'hall/tablet' });
    const owners = await timers.set(600_000, { client: 'tablet' });
    const nobodys = await timers.set(600_000, { client: null });
    const seen = async (token: string) => {
      const { body } = await assistant.call('/admin/timers', as(token));
      const all = z.object({ timers: z.array(z.object({ id: z.string() })) }).parse(body).timers;
      return all.map(({ id }) => id).toSorted();
    };
    const stop = async (id: string, token: string) =>
      (await assistant.call(`/admin/timers/${id}`, as(token, { method: 'DELETE' }))).status;

    expect(await seen(hall)).toEqual([own.id]);
    expect(await seen(look)).toEqual([own.id, owners.id, nobodys.id].toSorted());
    expect([await stop(owners.id, hall), await stop(nobodys.id, hall), await stop(own.id, hall)]).toEqual([
      404, 404, 200,
    ]);
    expect([await stop(owners.id, look), await stop(nobodys.id, owner)]).toEqual([200, 200]);
    timers.close();
  });

  test('is enough for a satellite, which ends when it is revoked', { tags: 'slow' }, async () => {
    const hall = await make('hall');
    const folder = mkdtempSync(join(tmpdir(), 'hearth-hall-'));
    placeSoundProgram(folder, 'arecord', 'exec cat /dev/zero');
    placeSoundProgram(folder, 'aplay', 'exec cat > /dev/null');
    const args = ['--url', assistant.address, '--client', 'hall', '--room', 'hall'];
    const satellite = startSatelliteProgram(folder, args, { SERVICE_TOKEN: hall });
    await satellite.tells(/Connected to/);

    await revoke('hall');

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain('Hearth no longer accepts the token of this satellite.');
    rmSync(folder, { recursive: true });
  });

  test('works with the openai package', async () => {
    const hall = await make('hall');
    const client = new OpenAI({ baseURL: `${assistant.address}/v1`, apiKey: hall, maxRetries: 0 });
    const messages = [{ role: 'user', content: 'Is it late?' } as const];

    const answer = await client.chat.completions.create({ model: 'assistant', messages, user: 'anna' });

    expect(answer.choices[0]?.message.content).toBe('Noted.');
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['assistant']);
  });
});

describe('the log', () => {
  const lineSchema = z.looseObject({ msg: z.string(), token_name: z.string().nullish() });
  const lines = (from: RunningApi = assistant) => from.log.map((line) => lineSchema.parse(JSON.parse(line)));

  test('names the token of every request, socket and change', async () => {
    const study = await make('study', 'administer');
    await assistant.ask('Hello?', {}, as(study));
    await assistant.call('/admin/pipeline', as(study, { method: 'PATCH', body: { speed: 1.1 } }));
    await assistant.call('/admin/conversations/api', as(study, { method: 'DELETE' }));
    await assistant.call('/admin/conversations/api', as(owner, { method: 'DELETE' }));
    const socket = await connectListen(assistant.address, { client: 'panel', token: study });
    await socket.close();
    await assistant.call('/admin/tokens', as(study, { body: { name: 'hall', scope: 'talk' } }));
    await revoke('hall', assistant, study);

    const ofStudy = lines().filter(({ token_name }) => token_name === 'study');
    const changes = lines().filter(
      ({ msg, token_name }) => msg === 'household changed' && token_name === 'study',
    );
    expect(ofStudy).toContainEqual(expect.objectContaining({ msg: 'answered', path: '/ask' }));
    expect(ofStudy).toContainEqual(expect.objectContaining({ msg: 'satellite connected' }));
    expect(ofStudy).toContainEqual(
      expect.objectContaining({ msg: 'token created', name: 'hall', scope: 'talk' }),
    );
    expect(ofStudy).toContainEqual(expect.objectContaining({ msg: 'token revoked', name: 'hall' }));
    expect(changes.map(({ operation }) => operation)).toEqual([
      'changePipeline',
      'forgetConversation',
      'makeToken',
      'revokeToken',
    ]);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        msg: 'household changed',
        operation: 'forgetConversation',
        token_name: 'SERVICE_TOKEN',
      }),
    );
  });

  test('hides a token that occurs in a path', async () => {
    const token = await make('kitchen');
    // A kind of refusal that occurs nowhere else here, because the log names only the first few of a kind.
    await assistant.call(`/admin/lists/${token}`, { ...as(owner), method: 'PUT' });

    expect(assistant.log.join('')).toContain('"path":"/admin/lists/[hidden]"');
    expect(assistant.log.join('')).not.toContain(token);
  });
});

describe('without a SERVICE_TOKEN', () => {
  let local: RunningApi;
  beforeAll(async () => {
    local = await startApi({ redisUrl: redis.url, llmUrl: llm.url });
  });
  afterAll(() => local?.stop());
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };

  test('the machine itself needs none and can create the first; a proxied caller needs one', async () => {
    expect(errorOf(await local.call('/v1/models', { headers: forwarded }))).toEqual({
      status: 403,
      code: 'local_only',
    });

    const made = await local.call('/admin/tokens', { body: { name: 'phone', scope: 'talk' } });
    const { token } = madeSchema.parse(made.body);

    expect((await local.call('/admin/tokens')).body).toMatchObject({
      tokens: [{ name: 'phone', made_by: null }],
    });
    expect(errorOf(await local.call('/v1/models', { headers: forwarded }))).toEqual({
      status: 401,
      code: 'unauthorized',
    });
    expect((await local.call('/v1/models', as(token, { headers: forwarded }))).status).toBe(200);
    expect((await local.call('/health', { headers: forwarded })).status).toBe(200);
    expect(errorOf(await local.call('/v1/models', as('wrong')))).toEqual({
      status: 401,
      code: 'unauthorized',
    });
    await local.call('/admin/tokens/phone', { method: 'DELETE' });
    expect(errorOf(await local.call('/v1/models', as(token, { headers: forwarded })))).toEqual({
      status: 403,
      code: 'local_only',
    });
    expect((await local.call('/v1/models', as(token))).status).toBe(200);
  });
});

test('a process that has not reached Redis yet does not call a token wrong', async () => {
  const away = await startApi({ redisUrl: 'redis://127.0.0.1:1', env: { SERVICE_TOKEN: owner } });

  const unknown = await away.call('/ask', as('hearth_unknown', { body: { text: 'Hello?' } }));
  const owners = await away.call('/openapi.json', as(owner));
  await away.stop();

  expect(errorOf(unknown)).toEqual({ status: 503, code: 'redis_unavailable' });
  expect(unknown.headers['retry-after']).toBe('5');
  expect(owners.status).toBe(200);
});
