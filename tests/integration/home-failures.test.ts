import { createServer } from 'node:http';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeHome,
  homeToken,
  notUnderstood,
  spoken,
  startFakeHome,
} from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question as asking } from '../support/skills.ts';
import { waitFor } from '../support/wait-for.ts';

const limits = { answerMs: 400, factMs: 400 };

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

type House = Awaited<ReturnType<typeof openHouse>>;

async function withHouse(
  work: (house: House, fake: FakeHome) => Promise<void>,
  options: { limited?: boolean; token?: string } = {},
): Promise<void> {
  const fake = await startFakeHome(options);
  const house = await openHouse({ redis, url: fake.url, token: options.token ?? homeToken, limits });
  try {
    await work(house, fake);
  } finally {
    await house.close();
    await fake.stop();
  }
}

const command = 'turn on the kitchen lights';
const inTheKitchen = ['turn on the lights', { room: 'kitchen' }] as const;
const question = 'is the front door locked';

describe('Home Assistant', () => {
  test('that is down is reported as down', () =>
    withHouse(async (house, fake) => {
      await fake.stop();

      expect(await house.ask(command)).toBe('I cannot reach Home Assistant.');
      expect(await house.ask(question)).toBe('I cannot reach Home Assistant.');
      expect(await house.ask('What is the capital of France?')).toBeNull();
    }));

  test('that comes back is asked again', () =>
    withHouse(async (house, fake) => {
      await fake.stop();
      await house.ask(command);
      await fake.start();

      expect(await house.ask(command)).toBe('Turned on the lights.');
    }));

  test.each([
    ['somebody', (house: House) => house.ask(...inTheKitchen)],
    [
      'the model',
      async ({ home }: House) => (await home.control.run(inTheKitchen[0], asking(...inTheKitchen))).text,
    ],
  ])('that was missing at first is asked for its rooms as soon as %s needs them', async (_who, say) => {
    const fake = await startFakeHome();
    await fake.stop();
    const house = await openHouse({ redis, url: fake.url, token: homeToken, limits });
    try {
      await waitFor(() => house.told.length > 0, { what: 'it was looked for' });
      await fake.start();

      expect(await say(house)).toBe('Turned on the lights.');
      expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
    } finally {
      await house.close();
      await fake.stop();
    }
  });

  test('with another token is reported to refuse ours', () =>
    withHouse(
      async (house) => {
        const refusal = 'Home Assistant does not accept my token. Please make a new one.';

        expect(await house.ask(command)).toBe(refusal);
        expect(await house.ask(question)).toBe(refusal);
        expect(JSON.stringify(house.told)).not.toContain('wrong-token');
      },
      { token: 'wrong-token' },
    ));

  test.each([
    ['does not accept our token', 'Home Assistant does not accept my token. Please make a new one.'],
    ['is down', 'I cannot reach Home Assistant.'],
  ])('that %s is not replaced by the model for a command that only it understands', (how, refusal) =>
    withHouse(
      async (house, fake) => {
        if (how === 'is down') await fake.stop();

        expect(await house.ask('make the bedroom lights light blue')).toBe(refusal);
        expect(await house.ask('raise the light of the lamp')).toBe(refusal);
        expect(await house.ask('Write a song about an open road')).toBeNull();
        expect(await house.ask('Why do the lights go out?')).toBeNull();
      },
      how === 'is down' ? {} : { token: 'wrong-token' },
    ),
  );

  test('that never answers may have acted, and the reply says so', () =>
    withHouse(async (house, fake) => {
      fake.plays(() => 'silent');

      expect(await house.ask(command)).toBe(
        'Home Assistant has not answered, so I do not know whether that happened.',
      );
      expect(await house.ask('did I lock the front door')).toBe('Home Assistant takes too long to answer.');
      expect(fake.calls).toHaveLength(2);
    }));

  test('that does not preview its action gets no command', () =>
    withHouse(async (house, fake) => {
      fake.understands(() => 'silent');

      expect(await house.ask(command)).toBe('Home Assistant takes too long to answer.');
      expect(fake.calls).toEqual([]);
    }));

  test('that breaks off is not asked a second time', () =>
    withHouse(async (house, fake) => {
      fake.plays(() => 'reset');

      expect(await house.ask(command)).toBe(
        'I lost the connection to Home Assistant, so I do not know whether that happened.',
      );
      expect(fake.calls).toHaveLength(1);
    }));

  test('that disconnects after acting is reported as outcome unknown', () =>
    withHouse(async (house, fake) => {
      await house.known();
      const success = [{ name: 'Lazy lamp', type: 'entity', id: 'light.lazy_lamp' }];
      fake.plays(() => {
        setTimeout(fake.stop, 20);
        return spoken('Turned on the light', { data: { success, failed: [] } });
      });

      expect(await house.ask('turn on the lazy lamp')).toBe(
        'I have passed that on, but I cannot tell whether it worked.',
      );
      expect(await house.undo()).toBe(
        'I have passed that on, but I cannot tell whether it worked. I cannot undo that. Tell me what you want instead.',
      );
    }));

  test('that is about to start gets more time', () =>
    withHouse(async (house, fake) => {
      await house.known();
      fake.plays(() => {
        fake.plays();
        return 404;
      });

      expect(await house.ask(command)).toBe('Turned on the lights.');
    }));

  test('that is still starting is reported as starting', () =>
    withHouse(async (house, fake) => {
      fake.is('NOT_RUNNING');
      fake.plays(() => notUnderstood('no_valid_targets'));

      expect(await house.ask(command)).toBe(
        'Home Assistant is still starting. Please try again in a moment.',
      );
      fake.plays(() => 404);
      expect(await house.ask(command)).toBe(
        'Home Assistant is still starting. Please try again in a moment.',
      );
    }));

  test.each([
    ['no JSON', () => '<html>'],
    ['another shape', () => ({ response: 'yes' })],
    ['five megabytes', () => spoken('x'.repeat(5_000_000))],
    ['a fault of its own', () => 500],
    ['a redirect', () => 302],
  ])('that answers %s is not trusted', (_what, play) =>
    withHouse(async (house, fake) => {
      fake.plays(play);

      expect(await house.ask(command)).toBe('Home Assistant gave an answer that I do not understand.');
      expect(fake.calls).toHaveLength(1);
    }),
  );

  test('that is another server is reported as missing', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('not here'));
    const house = await openHouse({ redis, url: await listenOnFreePort(other), token: homeToken, limits });

    expect(await house.ask(command)).toBe('There is no Home Assistant at the address that I was given.');

    await house.close();
    other.close();
    other.closeAllConnections();
  });

  test('cannot delay the end of a turn', () =>
    withHouse(async (house, fake) => {
      fake.plays(() => 'silent');
      const over = new AbortController();
      const answer = house.ask(command, {}, { signal: over.signal });
      setTimeout(() => over.abort(new Error('over')), 50);

      await expect(answer).rejects.toThrow('over');
    }));
});

describe('a Home Assistant that guesses', () => {
  test('gets no command that it guesses', () =>
    withHouse(async (house, fake) => {
      await house.known();
      fake.understands(() => ({ intent: { name: 'HassGetState' }, match: true, fuzzy_match: true }));

      expect(await house.ask('turn on the flux capacitor')).toBe('I do not know any flux capacitor.');
      expect(await house.ask('are the kitchen lights on')).toBe('I cannot find that out from your home.');
      expect(fake.calls).toEqual([]);
    }));
});

describe('a token without administrator rights', () => {
  test('still allows commands, and their undo', () =>
    withHouse(
      async (house, fake) => {
        await waitFor(() => house.told.length > 0 && fake.isListenedTo());

        expect(await house.ask('turn on the lights', { room: 'kitchen' })).toBe('Turned on the lights.');

        expect(fake.calls[0]?.text).toBe('turn on the lights in the kitchen');
        expect(await house.ask('turn up the lights', { room: 'kitchen' })).toBe(
          'I cannot do that with the lights.',
        );
        expect(fake.calls).toHaveLength(1);
        expect(fake.stateOf('light.kitchen_counter')).toBe('on');
        expect(await house.undo()).toBe('Okay, I put Kitchen ceiling and Kitchen counter back as before.');
        expect(fake.stateOf('light.kitchen_counter')).toBe('off');
      },
      { limited: true },
    ));
});
