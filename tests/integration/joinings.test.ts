import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readWav } from '../../api/src/audio/wav.ts';
import { createJoiningStore } from '../../api/src/tokens/joining-store.ts';
import { type CallOptions, errorOf } from '../support/clients/caller.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import { type Assistant, type RunningApi, startApi, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import {
  placeSoundCard,
  placeSoundProgram,
  type SatelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';
import { waitFor } from '../support/wait-for.ts';

const owner = 'Correct-Horse-Battery-Staple';
const asOwner: CallOptions = { headers: { authorization: `Bearer ${owner}` } };
const token = 'hearth_a-token-that-the-satellite-has-made-itself';
const token_sha256 = createHash('sha256').update(token).digest('hex');

let redis: OwnRedis;
let store: Redis;
let piper: FakePiper;
let house: Assistant;
let behindProxy: RunningApi;
let folder: string;
let satellite: SatelliteProgram | undefined;

beforeAll(async () => {
  [redis, piper] = await Promise.all([startRedis(), startFakePiper()]);
  store = await connectTo(redis.url);
  const env = { SERVICE_TOKEN: owner };
  house = await startAssistant({ redisUrl: redis.url, ttsUrl: piper.url, env });
  behindProxy = await startApi({
    redisUrl: redis.url,
    env: { ...env, TRUSTED_PROXIES: '127.0.0.1' },
  });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-joining-'));
});
afterEach(async () => {
  satellite?.kill();
  satellite = undefined;
  rmSync(folder, { recursive: true });
  await store.del('hearth:joinings', 'hearth:tokens', 'hearth:satellite-choices');
  await store.publish('hearth:token-news', 'revoked');
});
afterAll(async () => {
  await behindProxy?.stop();
  await house?.stop();
  await piper?.stop();
  store?.disconnect();
  await redis?.stop();
});

const madeSchema = z.object({ id: z.string(), digits: z.string(), expires_in_s: z.number() });
const listSchema = z.object({
  joinings: z.array(z.object({ id: z.string(), name: z.string(), from: z.string() })),
});

const ask = (options: CallOptions = {}, at: RunningApi = house) =>
  at.call('/joinings', { ...options, body: { name: 'pi', token_sha256 } });
const asked = async () => madeSchema.parse((await ask()).body);
const admit = (id: string, digits: string, name = 'kitchen', room = 'Kitchen') =>
  house.call(`/admin/joinings/${id}`, { ...asOwner, body: { digits, name, room } });
const listed = async () => listSchema.parse((await house.call('/admin/joinings', asOwner)).body).joinings;
const shownSchema = z.object({
  satellites: z.array(z.object({ client: z.string(), name: z.string().nullable() })),
});
/** The names that the page shows, by the satellites' own names. */
const names = async () => {
  const { satellites } = shownSchema.parse((await house.call('/admin/satellites', asOwner)).body);
  return Object.fromEntries(satellites.map(({ client, name }) => [client, name]));
};
const stateOf = async (id: string) => (await house.call(`/joinings/${id}`)).body;
const opens = async () =>
  (await house.call('/v1/models', { headers: { authorization: `Bearer ${token}` } })).status === 200;
const wrong = (digits: string) => (digits === '000000' ? '000001' : '000000');

describe('a satellite that asks to join', () => {
  test('gets no room with a name of the assistant, and can still be admitted', async () => {
    const { id, digits } = await asked();
    await house.call('/admin/pipeline', { ...asOwner, method: 'PATCH', body: { names: ['Jarvis'] } });

    const refused = await admit(id, digits, 'study', 'jarvis');

    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'room' } } });
    expect((await admit(id, digits, 'study')).status).toBe(200);
  });

  test('is admitted by its digits, and then by its own token', async () => {
    const { id, digits } = await asked();
    const before = [await listed(), await stateOf(id), await opens()];

    const admitted = await admit(id, digits);

    expect(before).toEqual([
      [{ id, name: 'pi', from: '127.0.0.1' }],
      { state: 'waiting', name: null, room: null },
      false,
    ]);
    expect(admitted.status).toBe(200);
    expect(await stateOf(id)).toEqual({ state: 'joined', name: 'kitchen', room: 'Kitchen' });
    expect(await opens()).toBe(true);
    expect(await listed()).toEqual([]);
  });

  test('is shown under the name that the person typed, when it connects', async () => {
    const { id, digits } = await asked();
    await admit(id, digits, 'kitchen shelf');

    expect(await names()).toEqual({ 'kitchen shelf/pi': 'kitchen shelf' });
  });

  test('is shown under its own name if another satellite is called as the person typed', async () => {
    await store.hset(
      'hearth:satellite-choices',
      'hall',
      JSON.stringify({ name: 'Shelf', room: null, wake: null }),
    );
    const { id, digits } = await asked();
    await admit(id, digits, 'shelf');

    expect(await names()).toEqual({ hall: 'Shelf' });
  });

  test('is admitted once: the same digits do not work again', async () => {
    const { id, digits } = await asked();
    await admit(id, digits);

    const again = await admit(id, digits, 'bath');

    expect(errorOf(again)).toEqual({ status: 404, code: 'not_found' });
  });

  test('is rejected after six wrong tries, even with the right digits afterwards', async () => {
    const { id, digits } = await asked();
    const codes: string[] = [];
    for (let n = 0; n < 6; n += 1) codes.push((await admit(id, wrong(digits))).text);

    const late = await admit(id, digits);

    expect(codes[0]).toMatch(/These are not the satellite's digits. 5 more tries./);
    expect(codes[5]).toMatch(/It was refused/);
    expect(late.status).toBe(404);
    expect(await opens()).toBe(false);
  });

  test('keeps waiting when its name is taken', async () => {
    const first = await asked();
    await admit(first.id, first.digits, 'kitchen');
    const second = await asked();

    const taken = await admit(second.id, second.digits, 'kitchen');

    expect(errorOf(taken)).toEqual({ status: 409, code: 'token_exists' });
    expect((await admit(second.id, second.digits, 'hall')).status).toBe(200);
  });

  test('has one place, which a new request of the same satellite takes over', async () => {
    const first = await asked();

    const second = await asked();

    expect((await listed()).map(({ id }) => id)).toEqual([second.id]);
    expect((await admit(first.id, first.digits)).status).toBe(404);
  });

  test('is rejected by a person, and may not view or administer with its secret', async () => {
    const { id } = await asked();

    const refused = await house.call(`/admin/joinings/${id}`, { ...asOwner, method: 'DELETE' });
    const unasked = await house.call('/admin/joinings');

    expect([refused.status, unasked.status]).toEqual([200, 401]);
    expect((await house.call(`/joinings/${id}`)).status).toBe(404);
  });

  test.each([
    ['through a proxy that nobody trusts', () => ask({ headers: { 'x-forwarded-for': '192.168.1.7' } })],
    [
      'from the internet, through one that the household trusts',
      () => ask({ headers: { 'x-forwarded-for': '203.0.113.7' } }, behindProxy),
    ],
  ])('is refused %s', async (_, call) => {
    expect(errorOf(await call())).toEqual({ status: 403, code: 'not_from_home' });
    expect(await listed()).toEqual([]);
  });

  test('is refused beside five others', async () => {
    const asking = {
      label: 'pi',
      hash: token_sha256,
      digits: '123456',
      tries: 0,
      spoken: 0,
      name: '',
      room: '',
    };
    for (let n = 0; n < 5; n += 1) {
      const one = { ...asking, from: `192.168.1.${n}`, state: 'waiting', untilMs: Date.now() + 60_000 };
      await store.hset('hearth:joinings', crypto.randomUUID(), JSON.stringify(one));
    }

    const sixth = await ask();

    expect(errorOf(sixth)).toEqual({ status: 429, code: 'too_many_joinings' });
  });

  test('expires after ten minutes', async () => {
    const { id, digits, expires_in_s } = await asked();
    const kept = z.looseObject({}).parse(JSON.parse((await store.hget('hearth:joinings', id)) ?? ''));
    await store.hset('hearth:joinings', id, JSON.stringify({ ...kept, untilMs: Date.now() - 60_000 }));

    const late = await admit(id, digits);

    expect([expires_in_s, late.status]).toEqual([600, 404]);
    expect(await listed()).toEqual([]);
  });

  test('lasts ten minutes of steady time, whatever the clock of Redis says', async () => {
    let steadyMs = 1_000_000;
    const joinings = createJoiningStore({ redis: store, steady: () => steadyMs });
    const joining = await joinings.ask({ label: 'pi', from: '192.168.1.9', hash: token_sha256 });
    const stateAfter = async (ms: number) => {
      steadyMs += ms;
      return [(await joinings.find(joining?.id ?? ''))?.state, (await joinings.waiting()).length];
    };

    expect(await stateAfter(599_000)).toEqual(['waiting', 1]);
    expect(await store.ttl('hearth:joinings')).toBeGreaterThan(3_600);
    expect(await stateAfter(2_000)).toEqual([undefined, 0]);
    expect(await joinings.claim(joining?.id ?? '', joining?.digits ?? '')).toBeNull();
  });

  test('speaks its digits one by one', async () => {
    const { id, digits } = await asked();

    const spoken = await fetch(`${house.address}/joinings/${id}/speech`);

    expect(readWav(Buffer.from(await spoken.arrayBuffer()))?.sampleRateHz).toBe(16_000);
    expect(piper.spoken.map(({ text }) => text).join(' ')).toContain([...digits].join(', '));
  });
});

test('the satellite program joins, keeps its token private, and is locked out alone', {
  tags: 'slow',
}, async () => {
  placeSoundCard(folder);
  placeSoundProgram(folder, 'aplay', `exec cat >> ${join(folder, 'played')}`);
  const kept = join(folder, 'house.json');
  const args = ['--client', 'here', '--url', house.address];
  satellite = startSatelliteProgram(folder, args, { STATE_DIRECTORY: folder });
  await satellite.tells(/Type \d{6} on the page/);
  const digits = /Type (\d{6})/.exec(satellite.told())?.[1] ?? '';
  await waitFor(() => existsSync(join(folder, 'played')), { what: 'the digits aloud' });

  const [waiting] = await listed();
  await admit(waiting?.id ?? '', digits);

  await satellite.tells(/Connected to .* as here, in the room Kitchen/);
  expect(waiting?.name).toBe('here');
  expect((statSync(kept).mode & 0o777).toString(8)).toBe('600');
  expect(satellite.told()).not.toContain(
    z.object({ token: z.string() }).parse(JSON.parse(readFileSync(kept, 'utf8'))).token,
  );

  await house.call('/admin/tokens/kitchen', { ...asOwner, method: 'DELETE' });

  expect(await satellite.ended).toBe(2);
  expect(satellite.told()).toContain('Hearth no longer accepts the token of this satellite.');
  expect(existsSync(kept)).toBe(false);
});
