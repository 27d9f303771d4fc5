import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import type { FakeReading } from '../support/fakes/fake-home-sentences.ts';
import { openHouse } from '../support/servers/house.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let fake: FakeHome;
let house: Awaited<ReturnType<typeof openHouse>>;

beforeAll(async () => {
  [server, fake] = await Promise.all([startRedis(), startFakeHome()]);
  redis = await connectTo(server.url);
  house = await openHouse({ redis, url: fake.url, token: homeToken });
  await house.known();
});
beforeEach(() => fake.forget());
afterAll(async () => {
  await house?.close();
  await fake?.stop();
  redis?.disconnect();
  await server?.stop();
});

const opensUp = (command: string) => house.home.control.opensUp(command, question(command));

/** The home would carry this out for any sentence, because it knows these things by their names. */
const reaches = (...ids: readonly string[]): FakeReading => ({
  intent: { name: 'HassTurnOn' },
  slots: { name: 'said' },
  match: true,
  targets: Object.fromEntries(ids.map((id) => [id, { matched: true }])),
});

describe('a command may open the house', () => {
  test.each<[string, string, FakeReading]>([
    ['a lock', 'lock the front door', reaches('lock.front_door')],
    ['a cover of no known kind', 'open the blinds', reaches('cover.drive')],
    ['a script', 'turn on the kitchen lights', reaches('script.come_home')],
    [
      'what the household has made',
      'turn on the kitchen lights',
      { ...reaches('light.kitchen_ceiling'), source: 'trigger' },
    ],
  ])('that reaches %s', async (_what, command, reading) => {
    fake.understands(() => reading);

    expect(await opensUp(command)).toBe(true);
    expect(fake.calls).toEqual([]);
  });

  test('that names a lock partially', async () => {
    fake.understands((sentence) => (sentence.includes('Front door') ? reaches('lock.front_door') : null));

    expect(await opensUp('lock the hall front lock')).toBe(true);
    expect(await opensUp('lock the hall side lock')).toBe(false);
  });

  test('if the house cannot be asked', async () => {
    await fake.stop();
    try {
      expect(await opensUp('turn on the kitchen lights')).toBe(true);
    } finally {
      await fake.start();
    }
  });
});

describe('a command opens nothing', () => {
  test.each([
    ['turn on the kitchen lights', 'light.kitchen_ceiling'],
    ['open the blinds', 'cover.blinds'],
  ])('that reaches only harmless things: %s', async (command, id) => {
    fake.understands(() => reaches(id));

    expect(await opensUp(command)).toBe(false);
  });

  test.each<[string, FakeReading | null]>([
    ['is not understood', null],
    ['is only guessed', { ...reaches('light.kitchen_ceiling'), fuzzy_match: true }],
    ['reaches nothing that is told', reaches()],
    ['would do something else than was said', reaches('light.kitchen_ceiling', 'lock.front_door')],
  ])('that is not sent, because it %s', async (_why, reading) => {
    fake.understands(() => reading);

    expect(await opensUp('turn on the kitchen lights')).toBe(false);
  });

  test('that is a question, or not a command', async () => {
    fake.understands(() => null);

    expect([await opensUp('is the front door locked'), await opensUp('once upon a time')]).toEqual([
      false,
      false,
    ]);
  });
});

test('any cover may be a gate in a house that does not reveal its things', async () => {
  const limited = await startFakeHome({ limited: true });
  const strange = await openHouse({ redis, url: limited.url, token: homeToken });
  try {
    limited.understands(() => reaches('cover.blinds'));
    const { control } = strange.home;

    const found = await control.opensUp('open the blinds', question('open the blinds'));

    expect(found).toBe(true);
  } finally {
    await strange.close();
    await limited.stop();
  }
});
