import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, homeToken, notUnderstood, startFakeHome } from '../support/fakes/fake-home.ts';
import type { Thing } from '../support/fakes/fake-home-sentences.ts';
import { openHouse } from '../support/servers/house.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

type House = Awaited<ReturnType<typeof openHouse>>;

/** A house with these things beside its own. */
async function withThings(
  things: Readonly<Record<string, Thing>>,
  work: (house: House, fake: FakeHome) => Promise<void>,
): Promise<void> {
  const fake = await startFakeHome();
  for (const [id, thing] of Object.entries(things)) fake.gains(id, thing);
  const house = await openHouse({ redis, url: fake.url, token: homeToken });
  try {
    await house.known();
    await work(house, fake);
  } finally {
    await house.close();
    await fake.stop();
  }
}

const light = (name: string, area: string): Thing => ({ name, area, state: 'off' });

describe('a house of thousands of things', () => {
  const lamps = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [`light.lamp_${at}`, light(`Lamp number ${at}`, 'Hall')]),
  );

  test('is known completely', () =>
    withThings(lamps, async (house, fake) => {
      expect(await house.ask('turn on lamp number 2999')).toBe('Turned on the lights.');
      expect(fake.stateOf('light.lamp_2999')).toBe('on');
      expect(fake.stateOf('light.lamp_2998')).toBe('off');

      await house.undo();
      expect(fake.stateOf('light.lamp_2999')).toBe('off');
    }));

  test('has all things of a room checked afterwards, in any number', () =>
    withThings(
      { ...lamps, 'light.lamp_2500': { ...light('Lamp number 2500', 'Hall'), becomes: 'unavailable' } },
      async (house) => {
        expect(await house.ask('turn on the hall lights')).toBe(
          'Turned on the lights. But Lamp number 2500 is not responding.',
        );
      },
    ));

  test('sets a limited number one by one, and none beyond it', () =>
    withThings(lamps, async (house, fake) => {
      expect(await house.ask('turn on all the lights')).toBe(
        'That would be too many things at once. Please say it of one room.',
      );
      expect(fake.calls).toEqual([]);
    }));
});

describe('things of one name', () => {
  const twins = {
    'light.one': light('Corner light', 'Kitchen'),
    'light.other': light('Corner light', 'Bedroom'),
  };
  const asked = 'There is more than one corner light, in the Kitchen and Bedroom. Please say in which room.';

  test('are distinguished by a question for the room', () =>
    withThings(twins, async (house, fake) => {
      expect(await house.ask('turn on the corner light')).toBe(asked);
      expect(fake.calls).toEqual([]);

      await house.ask('the bedroom');

      expect([fake.stateOf('light.one'), fake.stateOf('light.other')]).toEqual(['off', 'on']);
    }));

  test('mean the one in the room of the command', () =>
    withThings(twins, async (house, fake) => {
      await house.ask('turn on the corner light', { room: 'kitchen' });

      expect([fake.stateOf('light.one'), fake.stateOf('light.other')]).toEqual(['on', 'off']);
    }));

  test('are distinguished by a question for the room in a query too', () =>
    withThings(twins, async (house) => {
      expect(await house.ask('is the corner light on')).toBe(asked);
    }));

  test('in one room cannot be distinguished', () =>
    withThings({ ...twins, 'light.other': light('Corner light', 'Kitchen') }, async (house, fake) => {
      expect(await house.ask('turn on the corner light')).toBe(
        'There is more than one corner light, and I cannot tell them apart. Please give them different names.',
      );
      expect(fake.calls).toEqual([]);
    }));
});

describe('a thing with names in two languages', () => {
  const lamp = { ...light('Bedside lamp', 'Hall'), aliases: ['Nachttischlampe', 'Moonbeam', '\u0000 \n'] };

  test('is commanded and queried by each of them', () =>
    withThings({ 'light.moon': lamp }, async (house, fake) => {
      await house.ask('turn on the Nachttischlampe');
      expect(fake.stateOf('light.moon')).toBe('on');
      await house.ask('turn off the moonbeam');
      expect(fake.stateOf('light.moon')).toBe('off');
      expect(house.home.names().devices).toEqual(
        expect.arrayContaining(['Bedside lamp', 'Nachttischlampe', 'Moonbeam']),
      );
    }));

  test('is one thing under all of its names', () =>
    withThings({ 'light.moon': lamp, 'light.sun': light('Moonbeam', 'Attic') }, async (house) => {
      expect(await house.ask('turn on the moonbeam')).toBe(
        'There is more than one moonbeam, in the Hall and Attic. Please say in which room.',
      );
    }));
});

describe('a name', () => {
  const odd = {
    'light.none': light('', 'Kitchen'),
    'light.signs': light('\u0000\u0007\u202e\n', 'Kitchen'),
    'light.huge': light('lamp '.repeat(20_000), 'Kitchen'),
    'light.lines': light('Pool\u0000\n  lamp', 'Garden'),
    'switch.stop': light('Stop', 'Hall'),
    'switch.off': light('Lights off', 'Hall'),
    'light.kitchen': light('Kitchen', 'Bedroom'),
  };

  test('that is unpronounceable is ignored', () =>
    withThings(odd, async (house) => {
      expect(house.home.names().devices).toEqual(expect.arrayContaining(['Pool lamp', 'Stop']));
      expect(house.home.names().devices.every((name) => /^[\p{L}\d ]{1,100}$/u.test(name))).toBe(true);
    }));

  test('that is a command does not make it one', () =>
    withThings(odd, async (house, fake) => {
      expect(await house.ask('Stop')).toBeNull();
      expect(await house.ask('turn on stop')).toBe('Turned on Stop.');
      expect(fake.stateOf('switch.stop')).toBe('on');

      await house.ask('lights off', { room: 'kitchen' });
      expect(fake.calls.map(({ text }) => text)).toEqual([
        'turn on stop',
        'turn off the lights in the Kitchen',
      ]);
    }));

  test('that is a room leaves the room its own', () =>
    withThings(odd, async (house, fake) => {
      await house.ask('turn on the kitchen lights');

      expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
      expect(fake.stateOf('light.kitchen')).toBe('off');
    }));
});

describe('a thing', () => {
  test('that disappears between the test and the command is not called on', () =>
    withThings({}, async (house, fake) => {
      fake.plays(() => {
        fake.loses('light.bedside_lamp');
        return notUnderstood('no_valid_targets');
      });

      expect(await house.ask('turn on the bedside lamp')).toBe('I do not know any bedside lamp.');
    }));
});

describe('names that change after a command was read, before it is sent', () => {
  const text = 'turn on the bedside lamp';
  const meanwhile = (change: () => void) => ({ beginActing: async () => change() });

  test('does not report a removed thing as on', () =>
    withThings({}, async (house, fake) => {
      const gone = meanwhile(() => fake.loses('light.bedside_lamp'));

      expect(await house.ask(text, {}, gone)).toBe('I do not know any bedside lamp.');
    }));

  test('a thing that is commanded by its id and gone does not respond', () =>
    withThings({ 'light.reading': light('Bedroom reading lamp', 'Bedroom') }, async (house, fake) => {
      const gone = meanwhile(() => fake.loses('light.reading'));

      expect(await house.ask('turn on the reading lamp', {}, gone)).toBe(
        'Bedroom reading lamp is not responding.',
      );
    }));

  test('a thing that moves to another room is left alone there', () =>
    withThings({}, async (house, fake) => {
      const counter = light('Kitchen counter', 'Bedroom');
      const moved = meanwhile(() => fake.gains('light.kitchen_counter', counter));

      await house.ask('turn on the lights', { room: 'Kitchen' }, moved);

      expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
      expect(fake.stateOf('light.kitchen_counter')).toBe('off');
    }));
});

describe('a Home Assistant that ends in the middle of a command', () => {
  const both = 'turn on the kitchen ceiling and the bedside lamp';

  test('has done the first part, which is reported and undone', () =>
    withThings({}, async (house, fake) => {
      fake.plays((call) => {
        fake.plays(() => 500);
        return fake.acts(call);
      });

      expect(await house.ask(both)).toBe('Turned on the lights. Your home tried, but that did not work.');
      await house.undo();

      expect(fake.stateOf('light.kitchen_ceiling')).toBe('off');
    }));

  test('is not said to have done nothing', () =>
    withThings({}, async (house, fake) => {
      fake.plays((call) => {
        setTimeout(fake.stop, 0);
        fake.plays(() => 'reset');
        return fake.acts(call);
      });

      expect(await house.ask(both)).toBe('I have passed that on, but I cannot tell whether it worked.');
    }));
});

describe('a Home Assistant that no longer accepts our token', () => {
  test.each(['turn on the kitchen lights', 'is the front door locked', 'make the bedroom blue'])(
    'is reported: %s',
    (text) =>
      withThings({}, async (house, fake) => {
        await house.ask('turn off the kitchen lights');
        fake.takesToken('another');

        expect(await house.ask(text)).toBe('Home Assistant does not accept my token. Please make a new one.');
      }),
  );
});
