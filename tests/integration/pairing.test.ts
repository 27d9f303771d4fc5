import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type CallOptions, errorOf } from '../support/clients/caller.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const owner = 'Correct-Horse-Battery-Staple';
const pairingSchema = z.object({
  url: z.string(),
  code: z.string(),
  expires_at: z.iso.datetime(),
  is_secure: z.boolean(),
  join_code: z.string().nullable(),
});
const madeSchema = z.object({ name: z.string(), scope: z.string(), token: z.string() });
const tokensSchema = z.object({ tokens: z.array(z.object({ name: z.string(), made_by: z.string() })) });

let redis: OwnRedis;
let store: Redis;
let api: RunningApi;
let elsewhere: RunningApi;

beforeAll(async () => {
  redis = await startRedis();
  store = await connectTo(redis.url);
  const env = { SERVICE_TOKEN: owner, HOST: '0.0.0.0', MACHINE_NAMES: 'box,192.168.1.5' };
  api = await startApi({ redisUrl: redis.url, env });
  elsewhere = await startApi({ redisUrl: redis.url, env: { SERVICE_TOKEN: owner } });
  // On a busy machine a process may not have reached Redis yet.
  for (const each of [api, elsewhere])
    await waitFor(async () => (await each.call('/admin/tokens', as(owner))).status === 200);
});
afterEach(async () => {
  for (const { name } of tokensSchema.parse((await api.call('/admin/tokens', as(owner))).body).tokens)
    await api.call(`/admin/tokens/${encodeURIComponent(name)}`, as(owner, { method: 'DELETE' }));
});
afterAll(async () => {
  await elsewhere?.stop();
  await api?.stop();
  store?.disconnect();
  await redis?.stop();
});

const as = (token: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, authorization: `Bearer ${token}` },
});

async function begin(wish: { scope: string; name?: string } = { scope: 'talk' }) {
  const { status, body } = await api.call('/admin/pairings', as(owner, { body: wish }));
  expect(status).toBe(201);
  return pairingSchema.parse(body);
}

const toldSchema = z.object({ error: z.object({ message: z.string() }) });
const messageOf = ({ body }: { body: unknown }) => toldSchema.parse(body).error.message;

const pair = (code: string, name = 'iPhone', at = api) => at.call('/pair', { body: { code, name } });

test('a link gives a phone its own token, with its scope, which can be revoked', async () => {
  const { url, code } = await begin();

  const { status, body } = await pair(code);
  const { token, ...made } = madeSchema.parse(body);

  expect(url).toBe(`http://192.168.1.5:8765/phone#${code}`);
  expect(status).toBe(201);
  expect(made).toEqual({ name: 'iPhone', scope: 'talk' });
  expect((await api.call('/v1/models', as(token))).status).toBe(200);
  expect((await api.call('/admin/tokens', as(token))).status).toBe(403);
  await api.call('/admin/tokens/iPhone', as(owner, { method: 'DELETE' }));
  expect((await api.call('/v1/models', as(token))).status).toBe(401);
});

test('a link works once, for the first phone, at any process', async () => {
  const { code } = await begin();

  const answers = await Promise.all(
    [api, elsewhere, api, elsewhere, api, elsewhere].map((at) => pair(code, 'iPhone', at)),
  );

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404, 404, 404]);
  expect(messageOf(await pair(code))).toContain('has been used');
});

test('a link expires after ten minutes', async () => {
  const { code, expires_at: end } = await begin();
  const [key = ''] = await store.keys('hearth:pairing:*');

  expect(Math.abs(Date.parse(end) - Date.now() - 600_000)).toBeLessThan(60_000);
  expect(await store.ttl(key)).toBeGreaterThan(540);
  expect(key).not.toContain(code);

  await store.pexpire(key, 0);

  expect((await pair(code)).status).toBe(404);
});

test("phones of one name are distinguished, and keep the owner's name", async () => {
  const one = await pair((await begin({ scope: 'talk', name: 'Anna' })).code);
  const other = await pair((await begin({ scope: 'look', name: 'Anna' })).code);

  expect(
    [one, other].map(({ body }) => madeSchema.parse(body)).map(({ name, scope }) => [name, scope]),
  ).toEqual([
    ['Anna', 'talk'],
    ['Anna 2', 'look'],
  ]);
  const { tokens } = tokensSchema.parse((await api.call('/admin/tokens', as(owner))).body);
  expect(tokens.map(({ made_by: by }) => by)).toEqual(['SERVICE_TOKEN', 'SERVICE_TOKEN']);
});

test('guesses are limited, and do not lock out the phone with the link', async () => {
  const { code } = await begin();

  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await pair(`wrong-${guess}`)).status);

  // Earlier tests of this minute have made guesses too.
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(10);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  expect((await pair(code)).status).toBe(201);
});

test('only an administrator creates links, and no page of another site uses one', async () => {
  const { code } = await begin();
  const phone = madeSchema.parse((await pair(code)).body).token;
  const body = { scope: 'administer' };
  const next = await begin();

  expect((await api.call('/admin/pairings', { body })).status).toBe(401);
  expect((await api.call('/admin/pairings', as(phone, { body }))).status).toBe(403);
  const foreign = { body: { code: next.code, name: 'x' }, headers: { origin: 'https://evil.example' } };
  expect((await api.call('/pair', foreign)).status).toBe(403);
  expect((await pair(next.code)).status).toBe(201);
});

test('the link explains how to admit other devices if none is admitted', async () => {
  const answer = await elsewhere.call('/admin/pairings', as(owner, { body: { scope: 'talk' } }));

  expect(answer.status).toBe(409);
  expect(messageOf(answer)).toContain('make phone');
});

test('a machine joins by https only', async () => {
  const answer = await api.call('/admin/pairings', as(owner, { body: { scope: 'lend' } }));

  expect(answer.status).toBe(409);
  expect(messageOf(answer)).toContain('HTTPS=1');
  expect((await begin()).join_code).toBeNull();
});

test('a machine that joins again leaves no key behind: its name must be free', async () => {
  const HTTPS_PORT = String(await freePort());
  const env = { SERVICE_TOKEN: owner, HOST: '0.0.0.0', MACHINE_NAMES: 'box', HTTPS: '1', HTTPS_PORT };
  const secure = await startApi({
    redisUrl: redis.url,
    env: { ...env, DATA_DIR: await mkdtemp(join(tmpdir(), 'pairing-')) },
  });
  const invite = (name?: string) =>
    secure.call('/admin/pairings', as(owner, { body: { scope: 'lend', ...(name && { name }) } }));
  const codeOf = ({ body }: { body: unknown }) => pairingSchema.parse(body).code;
  try {
    await waitFor(async () => (await secure.call('/admin/tokens', as(owner))).status === 200);
    const [first, second, unnamed] = [await invite('desktop'), await invite('desktop'), await invite()];

    expect((await pair(codeOf(first), 'ubuntu', secure)).status).toBe(201);
    const refused = [
      await pair(codeOf(second), 'ubuntu', secure),
      await pair(codeOf(unnamed), 'desktop', secure),
      await invite('desktop'),
    ];
    for (const answer of refused) {
      expect(errorOf(answer)).toEqual({ status: 409, code: 'token_exists' });
      expect(messageOf(answer)).toContain('"desktop"');
    }
    await secure.call('/admin/tokens/desktop', as(owner, { method: 'DELETE' }));
    expect((await invite('desktop')).status).toBe(201);
  } finally {
    await secure.stop();
  }
});

test('the log contains neither the code nor the token', async () => {
  const { code } = await begin();
  const { token } = madeSchema.parse((await pair(code)).body);

  const log = api.log.join('');

  expect(log).toContain('phone paired');
  expect(log).not.toContain(code);
  expect(log).not.toContain(token);
});
