import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { connectHome } from '../../api/src/engines/home-client.ts';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let fake: FakeHome;
beforeEach(async () => {
  fake = await startFakeHome();
});
afterEach(() => fake.stop());

describe('a state', () => {
  const http = createEngineClient('home');
  const { signal } = new AbortController();
  let client: ReturnType<typeof connectHome>;

  beforeEach(async () => {
    client = connectHome({ url: fake.url, token: homeToken, http });
    client.listen({ onNames: () => undefined });
    await isTold();
  });
  afterEach(() => client.close());
  afterAll(() => http.close());

  const frontDoor = () => client.state('lock.front_door', signal);
  /** Waits until no state is requested any more. */
  const isTold = () =>
    waitFor(async () => {
      fake.seen.length = 0;
      await frontDoor();
      return fake.seen.length === 0;
    });

  test('is always the current one, whatever its cause', async () => {
    for (const state of ['unlocked', 'locked', 'unlocked']) {
      fake.sets('lock.front_door', state);
      expect(await frontDoor()).toBe(state);
    }

    expect((await client.states(signal))['lock.front_door']).toBe('unlocked');
    expect(fake.seen).toEqual([]);
  });

  test('of a removed thing is reported as such', async () => {
    fake.loses('lock.front_door');

    expect(await frontDoor()).toBe('unavailable');
  });

  test.each([
    ['was lost', () => fake.hangsUp()],
    ['stays open and says nothing', () => fake.fallsMute()],
  ])('is requested when the connection %s', async (_how, breaks) => {
    breaks();
    fake.sets('lock.front_door', 'unlocked');

    expect(await frontDoor()).toBe('unlocked');
    expect(fake.seen).toEqual(['GET /api/states/lock.front_door']);
  });

  test('is reported again after a restart of Home Assistant', async () => {
    await fake.stop();
    fake.sets('lock.front_door', 'unlocked');
    await fake.start();
    await isTold();

    expect(await frontDoor()).toBe('unlocked');
  });
});

describe('the house', () => {
  let server: OwnRedis;
  let redis: Redis;
  let house: Awaited<ReturnType<typeof openHouse>>;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectTo(server.url);
  });
  beforeEach(async () => {
    await redis.flushall();
    house = await openHouse({ redis, url: fake.url, token: homeToken });
    await house.known();
  });
  afterEach(() => house.close());
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  test('waits for a slow lamp, and reports its state as soon as it appears', async () => {
    const asked = house.ask('turn on the lazy lamp');
    await waitFor(() => fake.calls.length > 0);
    fake.sets('light.lazy_lamp', 'on');

    expect(await asked).toBe('Turned on the lights.');
  });

  test('learns a new name without polling', async () => {
    const knows = (name: string) => house.home.names().devices.includes(name);
    // The connection may be younger than the names.
    await waitFor(() => fake.isListenedTo());

    fake.renames('light.bedside_lamp', 'Moon');
    await waitFor(() => knows('Moon'));

    fake.gains('light.desk', { name: 'Desk lamp', area: 'Bedroom', state: 'off' });
    await waitFor(() => knows('Desk lamp'));

    fake.loses('light.desk');
    await waitFor(() => !knows('Desk lamp'));
  });

  test('learns the names that changed while the connection was broken', async () => {
    await waitFor(() => fake.isListenedTo());
    await fake.stop();
    fake.renames('light.bedside_lamp', 'Moon');
    await fake.start();

    await waitFor(() => house.home.names().devices.includes('Moon'));
  });

  test('denies no room or thing whose name it is about to read', async () => {
    await waitFor(() => fake.isListenedTo());
    fake.gains('light.desk', { name: 'Desk lamp', area: 'Study', state: 'off' });

    expect(await house.ask('turn on the lights', { room: 'study' })).toBe('Turned on the lights.');

    fake.gains('fan.tower', { name: 'Tower fan', area: 'Study', state: 'off' });

    await house.ask('turn on the tower fan', { room: 'study' });
    expect(fake.stateOf('fan.tower')).toBe('on');
  });
});
