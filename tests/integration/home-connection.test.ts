/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoredKey } from '../../api/src/backup/backup-file.ts';
import { restoreSnapshot, takeSnapshot } from '../../api/src/backup/snapshot.ts';
import { createHouseholdCertificate } from '../../api/src/tls/household-certificate.ts';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startApi, startAssistant } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const path = '/admin/home-assistant';

let redis: OwnRedis;
let store: Redis;
let fake: FakeHome;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, fake, llm] = await Promise.all([startRedis(), startFakeHome(), startFakeLlm()]);
  store = await connectTo(redis.url);
  llm.answers(() => says('I am only a model.'));
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: llm.url,
    env: { LOG_LEVEL: 'trace' },
  });
});
afterEach(() => fake.forget());
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await fake?.stop();
  store?.disconnect();
  await redis?.stop();
});

const connect = (url = fake.url, token = homeToken) =>
  assistant.call(path, { method: 'PUT', body: { url, token } });
const things = async () => (await assistant.call(`${path}/things`)).body;
const isConnected = async () => {
  const { configured } = Object(await assistant.health());
  return Object(configured).home;
};
const turnsOnTheLight = async () => replyOf(await assistant.ask('turn on the kitchen lights'));

describe('a wrong connection is explained and not stored', () => {
  const refusal = async (url?: string, token?: string) => {
    const answer = await connect(url, token);
    expect((await assistant.call(path)).body).toEqual({ set_by: null, url: null });
    return { status: answer.status, ...Object(answer.body).error };
  };

  test.each([
    ['a wrong token', {}, 'token', 'Home Assistant does not accept the access token. Make a new one there.'],
    [
      'no token',
      { token: 'two words' },
      'token',
      'A long-lived access token has no spaces in it: copy it whole, and nothing else.',
    ],
    [
      'no address',
      { url: 'ftp://here' },
      'url',
      'This is not an address. An address looks like http://192.168.1.20:8123, without a password in it.',
    ],
    [
      'a name that nobody knows',
      { url: 'http://nowhere.invalid:8123' },
      'url',
      'The name nowhere.invalid cannot be resolved on the machine that runs Hearth. Use the IP address, like http://192.168.1.20:8123',
    ],
  ] as const)(
    '%s',
    async (_what, { url, token = 'wrong' }: { url?: string; token?: string }, param, message) => {
      expect(await refusal(url, token)).toMatchObject({
        status: 422,
        code: 'home_not_connected',
        param,
        message,
      });
    },
  );

  test('an address without a server', async () => {
    const port = await freePort();
    expect(await refusal(`http://127.0.0.1:${port}`)).toMatchObject({
      param: 'url',
      message: 'Nothing answers at this address. Usually it is at port 8123.',
    });
  });

  test('another server at the address', async () => {
    expect(await refusal(assistant.address)).toMatchObject({
      param: 'url',
      message: 'Something other than Home Assistant answers at this address.',
    });
  });

  test('https sent to http, http sent to https, and an unknown certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-home-'));
    const pair = await createHouseholdCertificate({
      folder,
      names: () => ['localhost'],
      onLeftOut: () => undefined,
    }).current();
    const secure = createSecureServer(pair, (_request, response) => response.end('{}'));
    const plain = await listenOnFreePort(secure);
    const https = plain.replace('http:', 'https:');
    try {
      expect(await refusal(fake.url.replace('http:', 'https:'))).toMatchObject({
        message: `It does not speak https: try ${fake.url}`,
      });
      expect(await refusal(plain)).toMatchObject({ message: `It needs https: try ${https}` });
      expect(await refusal(https)).toMatchObject({
        message:
          'Its certificate is not one that this machine trusts. Use its address with http:// on the home network.',
      });
    } finally {
      secure.closeAllConnections();
      secure.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('a Home Assistant that is still starting', async () => {
    fake.is('NOT_RUNNING');

    expect(await refusal()).toMatchObject({
      message: 'Home Assistant is still starting. Try again in a minute.',
    });
  });
});

test('values of the environment take precedence, and cannot be changed on the page', async () => {
  const env = { HOME_ASSISTANT_URL: 'http://192.0.2.1:8123', HOME_ASSISTANT_TOKEN: 'withheld' };
  const api = await startApi({ redisUrl: redis.url, llmUrl: llm.url, env });
  const changed = await api.call(path, { method: 'PUT', body: { url: fake.url, token: homeToken } });
  const removed = await api.call(path, { method: 'DELETE' });
  const now = await api.call(path);
  await api.stop();

  expect([changed, removed].map((answer) => [answer.status, errorOf(answer).code])).toEqual([
    [409, 'not_possible'],
    [409, 'not_possible'],
  ]);
  expect(now.body).toEqual({ set_by: 'environment', url: 'http://192.0.2.1:8123' });
});

/** Connected once, because a worker needs most of a second to load another house. */
describe('a Home Assistant that is connected on the page', () => {
  const kept: StoredKey[] = [];

  test('is tested at once, and usable from then on', async () => {
    const before = await turnsOnTheLight();
    fake.gains('light.hidden', { name: 'Hidden', area: 'Cellar', state: 'off', isHidden: true });

    const answer = await connect(`${fake.url.replace('http://', '')}/lovelace/0`);

    expect(before).toContain('no Home Assistant is connected');
    expect(answer).toMatchObject({
      status: 200,
      body: { set_by: 'page', url: fake.url, things: 8, rooms: 5, limited: false },
    });
    await waitFor(isConnected);
    await waitFor(async () => (await turnsOnTheLight()) === 'Turned on the lights.');
  });

  test('lists its things by room, each with its state', async () => {
    fake.sets('lock.front_door', 'unlocked');

    expect(await things()).toMatchObject({
      connected: true,
      total: 8,
      rooms: [
        { room: 'Attic' },
        { room: 'Bedroom', things: [{ name: 'Bedside lamp' }, { name: 'Blinds', state: 'closed' }] },
        { room: 'Garage' },
        {
          room: 'Hall',
          things: [
            { id: 'lock.back_door', name: 'Back door', kind: 'lock', state: 'unlocked' },
            { name: 'Front door', state: 'unlocked' },
          ],
        },
        { room: 'Kitchen' },
      ],
    });
  });

  test('is reported when it stays away', async () => {
    fake.is('gone');

    expect(errorOf(await assistant.call(`${path}/things`))).toEqual({
      status: 503,
      code: 'home_unavailable',
    });
  });

  test('never shows its token: no route, no log line, and in Redis only its own key', async () => {
    await connect(fake.url, 'another-token-that-is-wrong');
    const told = await Promise.all(
      [path, `${path}/things`, '/health', '/admin/logs?limit=1000', '/admin/pipeline'].map(
        async (each) => (await assistant.call(each)).text,
      ),
    );
    const holding = async (secret: string) => {
      const keys = await store.keys('*');
      const dumps = await Promise.all(keys.map((key) => store.dumpBuffer(key)));
      return keys.filter((_, at) => dumps[at]?.includes(secret));
    };
    const logs = [assistant.log, ...assistant.workers.map(({ log }) => log)].flat();
    const isIn = (text: string) => text.includes(homeToken) || text.includes('another-token');

    expect(told.filter(isIn)).toEqual([]);
    expect(logs.filter(isIn)).toEqual([]);
    expect(await holding(homeToken)).toEqual(['hearth:home-assistant']);
    await waitFor(async () => (await holding('another-token')).length === 0);
  });

  test('is gone when it is removed', async () => {
    for await (const each of takeSnapshot(store)) kept.push(each);

    expect((await assistant.call(path, { method: 'DELETE' })).body).toEqual({ set_by: null, url: null });

    await waitFor(async () => (await turnsOnTheLight()).includes('no Home Assistant is connected'));
    expect(await things()).toEqual({ connected: false, limited: false, total: 0, rooms: [] });
    expect(await isConnected()).toBe(false);
  });

  test('is back when a backup with it is restored', async () => {
    await restoreSnapshot(store, Readable.from(kept));

    await waitFor(isConnected);
    await waitFor(async () => (await turnsOnTheLight()) === 'Turned on the lights.');
  });
});
