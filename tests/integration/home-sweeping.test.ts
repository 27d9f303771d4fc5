import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTalk } from '../support/several.ts';
import { waitFor } from '../support/wait-for.ts';

const gate = (name: string) => ({ name, area: 'Garage', state: 'closed', deviceClass: 'gate' });

let server: OwnRedis;
let redis: Redis;
let fake: FakeHome;
let house: Awaited<ReturnType<typeof openHouse>>;
let talk: ReturnType<typeof openTalk>;

beforeAll(async () => {
  [server, fake] = await Promise.all([startRedis(), startFakeHome()]);
  redis = new Redis(server.url);
  house = await openHouse({ redis, url: fake.url, token: homeToken });
  await house.known();
  talk = openTalk(redis, house);
});
beforeEach(async () => {
  await redis.flushall();
  fake.forget();
  talk.begin();
});
afterAll(async () => {
  await house?.close();
  redis?.disconnect();
  await fake?.stop();
  await server?.stop();
});

const lights = ['kitchen_ceiling', 'kitchen_counter', 'bedside_lamp', 'garage_lamp', 'lazy_lamp'].map(
  (name) => `light.${name}`,
);
const question = /^That would be .+\. Shall I do it\?$/;

test('everything at home is only turned on after a yes', async () => {
  expect(await talk.say('turn on everything')).toMatch(question);
  expect([fake.calls, fake.services]).toEqual([[], []]);

  await talk.say('yes');
  expect(fake.services.map(({ service, ids }) => [service, ids])).toEqual([['light/turn_on', lights]]);
});

test('nothing is done after a no', async () => {
  await talk.say('turn on everything');

  expect(await talk.say('no')).toMatch(/^All right/);
  expect(fake.services).toEqual([]);
});

test('several things that may let someone in are only opened after a yes', async () => {
  fake.gains('cover.drive', gate('Drive gate'));
  fake.gains('cover.yard', gate('Yard gate'));
  await waitFor(() => house.home.names().devices.includes('Yard gate'), { what: 'the gates are known' });

  expect(await talk.say('open all the gates')).toBe('That would be Drive gate and Yard gate. Shall I do it?');
  expect([fake.calls, fake.services]).toEqual([[], []]);

  await talk.say('yes');
  expect(fake.services).toMatchObject([{ service: 'cover/open_cover', ids: ['cover.drive', 'cover.yard'] }]);
});

test.each(['turn off everything', 'turn on everything in the kitchen', 'open all the blinds'])(
  'no yes is needed to %s',
  async (text) => {
    expect(await talk.say(text)).not.toMatch(question);
    expect(fake.calls.length + fake.services.length).toBeGreaterThan(0);
  },
);

test('no yes is needed for a time that was said', async () => {
  expect(await talk.say('turn on everything at six')).toMatch(/^All right: turn on everything, /);
});
