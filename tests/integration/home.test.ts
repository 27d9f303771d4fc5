import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, homeToken, spoken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question } from '../support/skills.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
let redis: Redis;
let fake: FakeHome;
let house: Awaited<ReturnType<typeof openHouse>>;

beforeAll(async () => {
  [server, fake] = await Promise.all([startRedis(), startFakeHome()]);
  redis = await connectTo(server.url);
});
beforeEach(async () => {
  await redis.flushall();
  fake.forget();
  house = await openHouse({ redis, url: fake.url, token: homeToken });
  await house.known();
});
afterEach(() => house.close());
afterAll(async () => {
  redis?.disconnect();
  await fake?.stop();
  await server?.stop();
});

const kitchen = { room: 'kitchen' };

describe('a command to the house', () => {
  test("is carried out, and confirmed in Home Assistant's words", async () => {
    expect(await house.ask('Could you turn on the kitchen lights, please?')).toBe('Turned on the lights.');

    expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(fake.calls).toMatchObject([
      { text: 'turn on the kitchen lights', language: 'en', agent_id: 'conversation.home_assistant' },
    ]);
  });

  test('that names no room means the room of the command', async () => {
    await house.ask('turn on the lights', { room: 'Kitchen' });

    expect(fake.calls[0]).toMatchObject({ text: 'turn on the lights in the Kitchen' });
    expect(fake.stateOf('light.kitchen_counter')).toBe('on');
    expect(fake.stateOf('light.bedside_lamp')).toBe('off');
  });

  test('may come from a room under another of its names', async () => {
    await house.ask('turn on the lights', { room: 'snuggery' });

    expect(fake.calls[0]).toMatchObject({ text: 'turn on the lights in the Bedroom' });
    expect(fake.stateOf('light.bedside_lamp')).toBe('on');
  });

  test('without any room asks for one', async () => {
    expect(await house.ask('turn on the lights')).toBe(
      'I do not know which room you mean. Please say it with the room.',
    );
  });

  test('is not sent before the turn is certain', async () => {
    let sentBefore = -1;
    const beginActing = async () => {
      sentBefore = fake.calls.length;
    };

    await house.ask('turn on the kitchen lights', {}, { beginActing });

    expect([sentBefore, fake.calls.length]).toEqual([0, 1]);
  });

  test('does nothing when the turn is cancelled meanwhile', async () => {
    const beginActing = () => Promise.reject(new Error('called off'));

    await expect(house.ask('turn on the kitchen lights', {}, { beginActing })).rejects.toThrow('called off');
    expect(fake.calls).toEqual([]);
  });

  test('names the lights of two rooms', async () => {
    await house.ask('turn on the lights in the kitchen and the bedroom');

    const ids = ['light.kitchen_ceiling', 'light.kitchen_counter', 'light.bedside_lamp'];
    expect(ids.map(fake.stateOf)).toEqual(['on', 'on', 'on']);
  });

  test('for everything else leaves alone what it names before', async () => {
    fake.sets('light.kitchen_counter', 'on');

    await house.ask('turn on the kitchen ceiling and turn off everything else in the kitchen');
    expect(['light.kitchen_ceiling', 'light.kitchen_counter'].map(fake.stateOf)).toEqual(['on', 'off']);
  });

  test('for everything else leaves alone what the last command changed', async () => {
    fake.sets('light.kitchen_counter', 'on');
    await house.ask('turn on the kitchen ceiling');

    await house.ask('turn off everything else in the kitchen');
    expect(['light.kitchen_ceiling', 'light.kitchen_counter'].map(fake.stateOf)).toEqual(['on', 'off']);
  });

  test('for everything else does nothing without a command before it', async () => {
    fake.sets('light.kitchen_counter', 'on');

    expect(await house.ask('turn off everything else', { conversation: 'nobody before' })).toBe(
      'Please also tell me what to leave as it is. Say, for example, turn off everything except the bedroom light.',
    );
    expect(fake.stateOf('light.kitchen_counter')).toBe('on');
  });

  test('of several is sent one by one', async () => {
    await house.ask('turn on the kitchen lights and turn on the bedside lamp');

    expect(fake.calls.map(({ text }) => text)).toEqual([
      'turn on the kitchen lights',
      'turn on the bedside lamp',
    ]);
  });

  test('belongs to one conversation, whose name does not reveal ours', async () => {
    await house.ask('turn on the kitchen lights', { conversation: 'anna' });
    await house.ask('turn off the kitchen lights', { conversation: 'anna' });
    await house.ask('turn off the kitchen lights', { conversation: null });

    const [first, second, alone] = fake.calls.map(({ conversation_id }) => conversation_id);
    expect(first).toMatch(/^hearth-[0-9a-f]{24}$/);
    expect(second).toBe(first);
    expect(alone).toBeUndefined();
  });
});

describe('no command with another effect is sent', () => {
  test.each([
    // A place or a thing that the home does not have.
    ['turn off the porch light', 'I do not know any porch light.'],
    // Its garden has no lights, and is the only possible backyard.
    ['turn on the lights in the backyard', 'I do not know any lights in the garden.'],
    ['turn on my balcony lights', 'I do not know any balcony lights.'],
    ['turn off my desk lamp', 'I do not know any desk lamp in the Kitchen.'],
    ['turn off the closet light', 'I do not know any closet light in the Kitchen.'],
    // A change for which it has no words, so it would make another one: the volume of any player.
    ['turn up the lights', 'Kitchen ceiling and Kitchen counter cannot be dimmed.'],
    ['turn the kitchen lights down a bit', 'Kitchen ceiling and Kitchen counter cannot be dimmed.'],
    ['turn up the heating', 'I do not know any heating in the Kitchen.'],
  ])('%j: %j', async (text, reply) => {
    expect(await house.ask(text, kitchen)).toBe(reply);
    expect(fake.calls).toEqual([]);
  });

  test.each([
    ['another change', { intent: { name: 'HassSetVolumeRelative' } }],
    ['a door that it turns on, which is to lock it', { targets: { 'lock.front_door': {} } }],
    ['another kind of thing', { targets: { 'switch.coffee_machine': {} } }],
    ['the whole house', { slots: { domain: 'light' } }],
    ['nothing that is exposed', { targets: {} }],
    ['a guess', { fuzzy_match: true }],
    ['a word left over', { unmatched_slots: { name: 'porch' } }],
  ])('that would be %s', async (_what, differently) => {
    fake.understands(() => ({
      intent: { name: 'HassTurnOn' },
      slots: { area: 'Kitchen', domain: 'light' },
      targets: { 'light.kitchen_ceiling': {} },
      match: true,
      ...differently,
    }));

    await house.ask('turn on the kitchen lights');

    expect(fake.calls).toEqual([]);
  });

  test("except for the household's own sentences, which only it knows", async () => {
    fake.understands(() => ({ match: true, source: 'trigger' }));
    fake.plays(() => spoken('Party time'));

    expect(await house.ask('turn on the party mode')).toBe('Party time.');
  });

  test.each([
    ['turn off all the lights', 'turn off all the lights'],
    ['turn off the house lights', 'turn off all the lights'],
    ['lights off', 'turn off the lights in the Kitchen'],
    ['turn off the lights in this room', 'turn off the lights in the Kitchen'],
    ['turn off lights of bedroom', 'turn off the lights in the bedroom'],
    ['set the lights to 50 percent', 'set the lights in the Kitchen to 50 percent'],
    ['turn the lights up to 50 percent', 'set the lights in the Kitchen to 50 percent'],
    ['turn on the bedside lamp light', 'turn on bedside lamp'],
  ])('in words that it knows: %j as %j', async (text, sent) => {
    await house.ask(text, kitchen);

    expect(fake.calls.map((call) => call.text)).toEqual([sent]);
  });

  test('for two things it is sent as two, reported as one, and undone as one', async () => {
    const reply = await house.ask('turn on the kitchen ceiling and the bedside lamp', { id: 'both' });

    expect([reply, fake.calls.length]).toEqual(['Turned on the lights.', 2]);
    await house.undo();
    expect([fake.stateOf('light.kitchen_ceiling'), fake.stateOf('light.bedside_lamp')]).toEqual([
      'off',
      'off',
    ]);
  });
});

describe('a command with a condition', () => {
  beforeEach(async () => {
    const attributes = { friendly_name: 'Desk lamp' };
    fake.gains('light.desk', { name: 'Desk lamp', area: 'Kitchen', state: 'on', attributes });
    await house.close();
    house = await openHouse({ redis, url: fake.url, token: homeToken });
    await waitFor(() => house.home.names().devices.includes('Desk lamp'), { what: 'the lamp is known' });
    await waitFor(() => fake.isListenedTo(), { what: 'the states are known' });
  });

  test('is carried out while the condition holds, with the reason', async () => {
    expect(await house.ask('turn on the bedside lamp if the desk lamp is on')).toBe(
      'Desk lamp is on. Turned on the lights.',
    );
    expect(fake.stateOf('light.bedside_lamp')).toBe('on');
  });

  test.each([
    ['turn on the bedside lamp if the desk lamp is off', 'Desk lamp is on, so I did nothing.'],
    ['turn off the desk lamp if it is off', 'Desk lamp is on, so I did nothing.'],
    ['turn on the bedside lamp unless the desk lamp is on', 'Desk lamp is on, so I did nothing.'],
    [
      'turn on the bedside lamp if I am tired',
      'I did nothing, because I cannot find out whether that is so.',
    ],
  ])('is not carried out otherwise: %s', async (text, reply) => {
    expect(await house.ask(text)).toBe(reply);
    expect(fake.calls).toEqual([]);
  });

  test('is refused if it would have to wait', async () => {
    expect(await house.ask('whenever the desk lamp is on, turn on the bedside lamp')).toBe(
      "I cannot wait for that, but an automation in Home Assistant can. I can do it right away, at a time such as seven o'clock, or in ten minutes.",
    );
    expect(fake.calls).toEqual([]);
  });

  test('is for the house, and a condition that is not true is not a refusal', async () => {
    const { covers, asks } = house.home.sentences;
    const text = 'if the desk lamp is on, turn on the bedside lamp';

    expect([await covers(text), await asks(text)]).toEqual([true, true]);
  });
});

describe('a command for later', () => {
  test('is refused, because it would be carried out at once', async () => {
    const refused =
      "I cannot do it like that. I can do it right away, at a time such as seven o'clock, or in ten minutes.";

    expect(await house.ask('Turn on the kitchen lights in ten minutes.')).toBe(refused);
    const asked = question('turn off the lights when I leave', kitchen);
    expect(await house.home.control.run('turn off the lights', asked)).toEqual({ ok: false, text: refused });
    expect(fake.calls).toEqual([]);
  });
});

describe('the report on a command', () => {
  test('says that a lamp does not answer', async () => {
    expect(await house.ask('turn on the garage lamp')).toBe('Garage lamp is not responding.');
  });

  test('says that a lamp has not changed yet', { tags: 'slow' }, async () => {
    expect(await house.ask('turn on the lazy lamp')).toBe(
      'I have passed that on, but Lazy lamp is not there yet.',
    );
  });

  test('names what failed of several', async () => {
    fake.plays(() => {
      fake.sets('light.kitchen_ceiling', 'on');
      const entity = (id: string, name: string) => ({ id, name, type: 'entity' });
      return spoken('Turned on the lights', {
        data: {
          success: [
            { type: 'area', id: 'kitchen', name: 'Kitchen' },
            entity('light.kitchen_ceiling', 'Ceiling'),
          ],
          failed: [entity('light.kitchen_counter', 'Counter')],
        },
      });
    });

    expect(await house.ask('turn on the kitchen lights')).toBe(
      'Turned on the lights. But Counter is not responding.',
    );
  });

  test.each([
    ['lock the front door', 'lock.front_door', 'unlocking', 'Front door'],
    ['set the bedside lamp to 30 percent', 'light.bedside_lamp', 'off', 'Bedside lamp'],
    ['open the blinds', 'cover.blinds', 'closing', 'Blinds'],
  ])('says that it is not so: %s, and it is %s that is %s', async (text, id, state, name) => {
    fake.plays(() => {
      fake.sets(id, state);
      return spoken('Done', { data: { success: [{ type: 'entity', id, name }], failed: [] } });
    });

    expect(await house.ask(text)).toBe(`I have passed that on, but ${name} is not there yet.`);
  });

  test('does not claim a failure if the states show success', async () => {
    fake.plays(() => {
      fake.sets('light.bedside_lamp', 'on');
      return spoken('Sorry, I had an error', { type: 'error', data: { code: 'failed_to_handle' } });
    });

    expect(await house.ask('turn on the bedside lamp')).toMatch(/^(Okay|Done)\.$/);
  });

  test('names the new number if Home Assistant does not', async () => {
    fake.plays(() => {
      fake.sets('cover.blinds', 'open', { current_position: 50 });
      const success = [{ type: 'entity', id: 'cover.blinds', name: 'Blinds' }];
      return spoken('Position set', { data: { success, failed: [] } });
    });

    expect(await house.ask('open the blinds halfway')).toBe('Blinds set to 50 percent.');
  });

  const untold = 'Bedside lamp is on, but does not report what it is set to.';
  test.each([
    [{ brightness: 204 }, 'Brightness set to 80%.'],
    // It is a plain bulb.
    [{}, untold],
    [{ brightness: 77 }, 'Bedside lamp is at 30 percent.'],
  ])('tells no brightness that the lamp does not report: %j', async (attributes, reply) => {
    fake.plays(() => {
      fake.sets('light.bedside_lamp', 'on', attributes);
      const success = [{ type: 'entity', id: 'light.bedside_lamp', name: 'Bedside lamp' }];
      return spoken('Brightness set to 80%', { data: { success, failed: [] } });
    });

    expect(await house.ask('set the bedside lamp to 80 percent')).toBe(reply);
  });

  test.each([
    ['hs', 'Color set.'],
    ['onoff', untold],
    ['brightness', untold],
  ])('tells no colour of a lamp that shows none: %s', async (mode, reply) => {
    fake.plays(() => {
      fake.sets('light.bedside_lamp', 'on', { color_mode: mode });
      const success = [{ type: 'entity', id: 'light.bedside_lamp', name: 'Bedside lamp' }];
      return spoken('Color set', { data: { success, failed: [] } });
    });

    expect(await house.ask('make the bedside lamp red')).toBe(reply);
  });

  describe('for the lights of a room, with a setting that some do not have', () => {
    const setModes = (ceiling: string, counter: string) => {
      const shown = { brightness: 102, color_mode: 'hs' };
      fake.sets('light.kitchen_ceiling', 'off', { ...shown, supported_color_modes: [ceiling] });
      fake.sets('light.kitchen_counter', 'off', { ...shown, supported_color_modes: [counter] });
    };

    test.each([
      ['set the kitchen lights to 40 percent', 'Kitchen counter set to 40 percent.'],
      ['make the kitchen lights blue', expect.stringMatching(/^(Okay|Done)\.$/)],
    ])('leaves those alone that it would only switch on: %s', async (text, reply) => {
      setModes('onoff', 'hs');

      expect(await house.ask(text)).toEqual(reply);
      expect(fake.services).toEqual([{ service: 'light/turn_on', ids: ['light.kitchen_counter'] }]);
      expect([fake.calls, fake.stateOf('light.kitchen_ceiling')]).toEqual([[], 'off']);
    });

    test.each([
      ['set the kitchen lights to warm white', { color_temp_kelvin: 2700 }],
      ['set the kitchen lights to 3000 kelvin', { color_temp_kelvin: 3000 }],
      ['set the color temperature of the kitchen lights to 3,500 K', { color_temp_kelvin: 3500 }],
      ['set the kitchen lights color temperature to 4500', { color_temp_kelvin: 4500 }],
      ['set the color temperature in the kitchen to 5000', { color_temp_kelvin: 5000 }],
      ['make the kitchen lights white', { color_temp_kelvin: 4000 }],
    ])('sets the color temperature of those that have one: %s', async (text, data) => {
      setModes('brightness', 'color_temp');

      expect(await house.ask(text)).toMatch(/^(Okay|Done)\.$/);
      expect([fake.services.map(({ ids }) => ids), fake.serviceData]).toEqual([
        [['light.kitchen_counter']],
        [data],
      ]);
    });

    test.each([
      ['make the kitchen lights white', { color_name: 'white' }],
      ['make the kitchen lights cool white', { color_temp_kelvin: 4000 }],
      ['turn the kitchen lights to a red color', { color_name: 'red' }],
      ['make the kitchen lights sky blue', { color_name: 'sky blue' }],
      // CSS has no such color.
      ['make the kitchen lights amber', { color_name: 'orange' }],
    ])('shows a color where there are colors: %s', async (text, data) => {
      setModes('brightness', 'hs');

      expect(await house.ask(text)).toMatch(/^(Okay|Done)\.$/);
      expect(fake.serviceData).toEqual([data]);
    });

    test.each([
      ['make the kitchen lights blue', 'cannot show colors.', 'color_temp'],
      ['set the kitchen lights to warm white', 'cannot show warm or cool white.', 'brightness'],
    ])('does nothing if none has colors or color temperatures: %s', async (text, reason, mode) => {
      setModes(mode, mode);

      expect(await house.ask(text)).toBe(`Kitchen ceiling and Kitchen counter ${reason}`);
      expect([fake.calls, fake.services]).toEqual([[], []]);
    });

    test.each([
      ['set the kitchen lights to 40 percent', 'cannot be dimmed.'],
      ['dim the kitchen lights', 'cannot be dimmed.'],
      ['make the kitchen lights blue', 'cannot show colors.'],
    ])('does nothing if none has it: %s', async (text, reason) => {
      setModes('onoff', 'onoff');

      expect(await house.ask(text)).toBe(`Kitchen ceiling and Kitchen counter ${reason}`);
      expect([fake.calls, fake.services]).toEqual([[], []]);
    });
  });

  describe('for several things, of which one cannot do it', () => {
    const bulb = { supported_color_modes: ['onoff'] };
    const lamp = { supported_color_modes: ['hs'], color_mode: 'hs', brightness: 102 };

    beforeEach(async () => {
      fake.plays((call) => fake.acts({ ...call, text: call.text.replace(/^set (.+) to .+$/, 'turn on $1') }));
      fake.sets('light.kitchen_ceiling', 'on', lamp);
      fake.sets('light.kitchen_counter', 'on', bulb);
      fake.sets('light.bedside_lamp', 'off', bulb);
      fake.gains('fan.bedroom', {
        ...{ name: 'Bedroom fan', area: 'Bedroom', state: 'on' },
        attributes: { supported_features: 1, percentage: 50 },
      });
      fake.gains('fan.office', {
        ...{ name: 'Office fan', area: 'Office', state: 'off' },
        attributes: { supported_features: 48 },
      });
      fake.gains('cover.office', {
        ...{ name: 'Office blinds', area: 'Office', state: 'open', deviceClass: 'blind' },
        attributes: { supported_features: 3 },
      });
      fake.sets('cover.blinds', 'open', { supported_features: 15, current_position: 50 });
      fake.renames('cover.blinds', 'Blinds');
      await waitFor(() => house.home.names().devices.includes('Office blinds'));
    });

    test.each([
      [
        'dim the kitchen ceiling and the bedside lamp',
        'light.kitchen_ceiling',
        'Bedside lamp cannot be dimmed.',
      ],
      ['dim the kitchen and bedroom lights', 'light.kitchen_ceiling', 'Bedside lamp cannot be dimmed.'],
      [
        'set the bedroom fan and the office fan to 50 percent',
        'fan.bedroom',
        'Office fan can only be turned on and off.',
      ],
    ])('sets the other, and names it: %s', async (text, id, problem) => {
      expect(await house.ask(text)).toMatch(new RegExp(`^.+\\. (?:But )?${problem}$`));
      expect([fake.services.flatMap(({ ids }) => ids), fake.calls]).toEqual([[id], []]);
    });

    test.each([
      [
        'set the bedside lamp and the kitchen ceiling to 40 percent',
        'Kitchen ceiling set to 40 percent. But Bedside lamp cannot be dimmed.',
      ],
      [
        'make the kitchen ceiling and the bedside lamp blue',
        'Turned on the lights. But Bedside lamp cannot show colors.',
      ],
      [
        'set the blinds and the office blinds to 50 percent',
        'Blinds set to 50 percent. But Office blinds can only be opened and closed.',
      ],
    ])('leaves it alone: %s', async (text, reply) => {
      expect(await house.ask(text)).toBe(reply);
      expect(fake.calls).toHaveLength(1);
      expect([fake.services, fake.stateOf('light.bedside_lamp')]).toEqual([[], 'off']);
    });

    test.each([
      [
        'set the kitchen counter and the bedside lamp to 40 percent',
        'Kitchen counter cannot be dimmed. Bedside lamp cannot be dimmed.',
      ],
      ['set the office fan to 50 percent', 'Office fan can only be turned on and off.'],
      ['open the office blinds halfway', 'Office blinds can only be opened and closed.'],
    ])('does nothing if none can: %s', async (text, reply) => {
      expect(await house.ask(text)).toBe(reply);
      expect([fake.services, fake.calls]).toEqual([[], []]);
    });
  });

  describe('for a value that is not said', () => {
    beforeEach(async () => {
      fake.plays((call) => fake.acts({ ...call, text: call.text.replace(/^set (.+) to .+$/, 'turn on $1') }));
      fake.sets('light.bedside_lamp', 'off', { supported_color_modes: ['hs'], brightness: 102 });
      fake.gains('climate.hall', {
        ...{ name: 'Thermostat', area: 'Hall', state: 'heat' },
        attributes: { supported_features: 1, temperature: 21 },
      });
      fake.gains('media_player.terrace', {
        ...{ name: 'Terrace speaker', area: 'Terrace', state: 'playing' },
        attributes: { supported_features: 4, volume_level: 0.4 },
      });
      fake.renames('light.bedside_lamp', 'Bedside lamp');
      await waitFor(() => house.home.names().devices.includes('Terrace speaker'));
    });

    test.each([
      ['set the terrace speaker volume', 'To what volume?', 'forty percent', 'media_player.terrace'],
      ['set the volume of the terrace speaker', 'To what volume?', 'to 40 please', 'media_player.terrace'],
      ['adjust the thermostat', 'To what temperature?', 'make it 21 degrees', 'climate.hall'],
    ])('asks for it: %s', async (text, question, answer, id) => {
      expect(await house.ask(text, { conversation: 'anna' })).toBe(question);
      expect([fake.services, fake.calls]).toEqual([[], []]);

      await house.ask(answer, { conversation: 'anna' });
      expect(fake.services.flatMap(({ ids }) => ids)).toEqual([id]);
    });

    test('takes nothing else for an answer', async () => {
      await house.ask('set the terrace speaker volume', { conversation: 'anna' });

      expect(await house.ask('what is the capital of France', { conversation: 'anna' })).toBeNull();
      expect(await house.ask('set the bedside lamp', { conversation: 'anna' })).toBe('To what brightness?');
    });

    test.each([
      ['set the garden lamp', 'I do not know any garden lamp.'],
      ['set the back door', 'I cannot do that with the back door.'],
    ])('asks for none that the thing cannot have: %s', async (text, reply) => {
      expect(await house.ask(text)).toBe(reply);
    });
  });

  test.each([
    ['turn on the garden lights', 'I do not know any garden lights.'],
    ['turn on the flux capacitor', 'I do not know any flux capacitor.'],
    ['dim the bedside lamp', 'Bedside lamp cannot be dimmed.'],
  ])('for a thing that is unknown or cannot do it, %j: %j', async (text, reply) => {
    expect(await house.ask(text)).toBe(reply);
  });

  test('says that a thing without a state does not answer', async () => {
    const success = [{ type: 'entity', id: 'light.taken_away', name: 'Old lamp' }];
    fake.plays(() => spoken('Turned on the light', { data: { success, failed: [] } }));

    expect(await house.ask('turn on the kitchen lights')).toBe('Old lamp is not responding.');
  });

  test('says that the house failed at it', async () => {
    fake.plays(() =>
      spoken('An unexpected error occurred', { type: 'error', data: { code: 'failed_to_handle' } }),
    );

    expect(await house.ask('turn on the kitchen lights')).toBe('Your home tried, but that did not work.');
  });

  test('is short if Home Assistant says nothing', async () => {
    fake.plays(() => ({ response: { speech: {}, response_type: 'action_done', data: {} } }));

    expect(await house.ask('turn on the kitchen lights')).toMatch(/^(Okay|Done)\.$/);
  });
});

const yes = () => {
  const success = [{ type: 'entity', id: 'lock.front_door', name: 'Front door' }];
  fake.plays(() => spoken('Yes', { type: 'query_answer', data: { success, failed: [] } }));
};

describe('a question about the house', () => {
  test('for two states is one question, which is not split into a question and a command', async () => {
    const text = 'is the kitchen light on and the bedroom light off';

    expect(await house.home.sentences.covers(text)).toBe(true);
    expect(await house.home.sentences.asks(text)).toBe(true);
  });

  test('is answered', async () => {
    expect(await house.ask('Is the front door locked?')).toBe('I cannot find that out from your home.');
    yes();

    expect(await house.ask('Is the front door locked?')).toBe('Yes.');
  });

  test.each([
    ['Did I lock the doors?', 'are all the doors locked'],
    ['Are the doors locked?', 'are all the doors locked'],
    ['are all the doors locked', 'are all the doors locked'],
    ['Are my doors locked?', 'are all the doors locked'],
    ['Is every door locked?', 'are all the door locked'],
    ['Is any door unlocked?', 'are any door unlocked'],
    ['Did I leave the kitchen lights on?', 'are any lights on in the kitchen'],
    ['Are there lights on in the kitchen?', 'are any lights on in the kitchen'],
    ['Are the kitchen lights on?', 'are all the lights on in the kitchen'],
  ])('asks for all of them, or for any: %j as %j', async (text, asked) => {
    yes();

    expect(await house.ask(text)).toBe('Yes.');
    expect(fake.calls.map((call) => call.text)).toEqual([asked]);
  });

  test.each([
    ['an action', { intent: { name: 'HassTurnOn' }, match: true }],
    ['a guess', { intent: { name: 'HassGetState' }, match: true, fuzzy_match: true }],
    ['half of something', { intent: { name: 'HassGetState' }, match: false }],
    ['nothing', null],
  ])('is never sent if it would be read as %s', async (_what, reading) => {
    fake.understands(() => reading);

    expect(await house.ask('are the kitchen lights on')).toBe('I cannot find that out from your home.');

    expect(fake.asked).toContain('are the kitchen lights on');
    expect(fake.calls).toEqual([]);
  });

  test('that names no room means the room of the question', async () => {
    await house.ask('are the lights on', kitchen);

    expect(fake.calls[0]?.text).toBe('are all the lights on in the Kitchen');
  });

  test('about a thing that does not answer is not answered with No', async () => {
    fake.sets('lock.front_door', 'unavailable');
    fake.plays(() =>
      spoken('No, unavailable', {
        type: 'query_answer',
        data: { success: [{ type: 'entity', id: 'lock.front_door', name: 'Front door' }] },
      }),
    );

    expect(await house.ask('is the front door locked')).toBe('Front door is not responding.');
  });
});

describe('a follow-up', () => {
  test('may mean the same elsewhere, or the opposite', async () => {
    await house.ask('turn on the kitchen lights');

    await house.ask('and the bedroom');
    await house.ask('turn it off');

    expect(fake.calls.map(({ text }) => text)).toEqual([
      'turn on the kitchen lights',
      'turn on the lights in the bedroom',
      'turn off the lights in the bedroom',
    ]);
  });

  test('may name another thing right after a command', async () => {
    await house.ask('turn on the bedside lamp');
    await house.ask('and the kitchen lights too');

    expect(fake.calls.map(({ text }) => text)).toEqual([
      'turn on the bedside lamp',
      'turn on kitchen lights',
    ]);
    expect(await house.ask('and the kitchen lights too', { conversation: 'another' })).toBeNull();
  });

  test('may name another thing of the same kind', async () => {
    await house.ask('turn on the bedside lamp');

    await house.ask('turn on the kitchen ones');
    await house.ask('turn off the one in the bedroom');

    expect(fake.calls.map(({ text }) => text)).toEqual([
      'turn on the bedside lamp',
      'turn on the kitchen lights',
      'turn off the lights in the bedroom',
    ]);
  });

  test('does not repeat the command before a denied one', async () => {
    await house.ask('turn on the kitchen lights');
    expect(await house.ask('turn off the balcony lights')).toBe('I do not know any balcony lights.');

    await house.ask('and the bedroom too');

    expect(fake.calls.map(({ text }) => text)).toEqual([
      'turn on the kitchen lights',
      'turn off the lights in the bedroom',
    ]);
  });

  test('does not repeat the command before a failed one', async () => {
    await house.ask('turn on the bedside lamp');
    fake.plays(() => 500);
    expect(await house.ask('turn off the kitchen lights')).toBe(
      'Home Assistant gave an answer that I do not understand.',
    );
    fake.plays();

    await house.ask('and the bedroom too');

    expect(fake.calls.at(-1)).toMatchObject({ text: 'turn off the lights in the bedroom' });
  });

  test('may give another value', async () => {
    await house.ask('open the blinds');
    await house.ask('halfway please');

    expect(fake.calls.at(-1)).toMatchObject({ text: 'set the blinds to 50 percent' });
    expect(await house.ask('now red', { conversation: 'another' })).toBeNull();
  });

  test('has no meaning for the house without a previous command', async () => {
    expect(await house.ask('and the bedroom')).toBeNull();
    expect(await house.ask('turn it off')).toBeNull();
    expect(fake.calls).toEqual([]);
  });

  test('goes to Home Assistant after it has asked back', async () => {
    fake.plays(() => spoken('Which lamp?', { asksBack: true }));
    expect(await house.ask('turn on the kitchen lights')).toBe('Which lamp?');
    fake.plays(() => spoken('Turned on the ceiling'));
    fake.understands(() => ({ intent: { name: 'WhichLamp' }, match: true, source: 'custom' }));

    expect(await house.ask('the one on the ceiling')).toBe('Turned on the ceiling.');
    fake.understands();
    expect(await house.ask('the one on the ceiling')).toBeNull();
  });
});

describe('a sentence about the things of the last answer', () => {
  beforeEach(async () => {
    const door = (name: string, state: string) => ({
      ...{ name, state, area: 'Hall', attributes: { friendly_name: name } },
    });
    fake.gains('lock.front_door', door('Front door', 'locked'));
    fake.gains('lock.back_door', door('Back door', 'unlocked'));
    await house.close();
    house = await openHouse({ redis, url: fake.url, token: homeToken });
    await house.known();
    await waitFor(() => fake.isListenedTo(), { what: 'the states are known' });
  });

  test('says "it" of a thing that was asked about', async () => {
    expect(await house.ask('is the back door locked')).toBe('No, Back door is unlocked.');
    expect(await house.ask('lock it')).toMatch(/\.$/);
    expect(fake.stateOf('lock.back_door')).toBe('locked');
    expect(await house.ask('is it locked now')).toBe('Yes, Back door is locked.');
  });

  test('says "them" of several, and with "it" must choose one', async () => {
    await house.ask('are the doors locked');
    expect(await house.ask('lock it')).toBe('Which one: Front door or Back door?');
    expect(fake.calls).toEqual([]);

    await house.ask('are the doors locked');
    await house.ask('lock them');
    expect([fake.stateOf('lock.front_door'), fake.stateOf('lock.back_door')]).toEqual(['locked', 'locked']);
  });

  test('may be about the same question in another room', async () => {
    const lamp = (area: string, state: string) => ({
      ...{ name: `${area} lamp`, area, state, attributes: { friendly_name: `${area} lamp` } },
    });
    fake.gains('light.one', lamp('Kitchen', 'on'));
    fake.gains('light.other', lamp('Bedroom', 'off'));
    await waitFor(() => house.home.names().devices.includes('Bedroom lamp'), { what: 'the lamps are known' });

    expect(await house.ask('is the lamp on in the kitchen')).toBe('Yes, Kitchen lamp is on.');
    expect(await house.ask('and in the bedroom')).toBe('No, Bedroom lamp is off.');
    expect(await house.ask('what about the kitchen')).toBe('Yes, Kitchen lamp is on.');
    expect(fake.calls).toEqual([]);
  });

  test('does not act on other sentences with "it"', async () => {
    await house.ask('is the back door locked');
    const changes = fake.calls.length;
    for (const text of ['is it raining', 'it is lovely', 'who makes it', 'I like it', 'forget about it'])
      expect(await house.ask(text)).toBeNull();
    expect(fake.calls).toHaveLength(changes);
  });
});

describe('the answer to "which one?"', () => {
  const asked = 'Which one: Front door or Back door?';
  const doors = () => [fake.stateOf('lock.front_door'), fake.stateOf('lock.back_door')];

  test.each(['the back door', 'back', 'The back one, please.', 'the second', 'I mean the back door'])(
    'may be %j',
    async (answer) => {
      expect(await house.ask('unlock the door')).toBe(asked);
      await house.ask('lock the back door');
      expect(await house.ask('unlock the door')).toBe(asked);

      expect(await house.ask(answer)).toBe('Unlocked Back door.');
      expect(doors()).toEqual(['locked', 'unlocked']);
    },
  );

  test('may be all of them, except to unlock them', async () => {
    await house.ask('lock the door');
    expect(await house.ask('both')).toBe('Locked Front door and Back door.');
    expect(doors()).toEqual(['locked', 'locked']);

    await house.ask('unlock the door');
    expect(await house.ask('both')).toBe(asked);
    expect(doors()).toEqual(['locked', 'locked']);
  });

  test('is nothing else, and is not awaited any longer afterwards', async () => {
    await house.ask('unlock the door');
    expect(await house.ask('what is behind the back door')).toBeNull();
    await house.ask('turn on the kitchen lights');
    expect(await house.ask('the back door')).toBeNull();
    expect(doors()).toEqual(['locked', 'unlocked']);
  });
});

describe('a sentence that Home Assistant reads by its room', () => {
  const text = 'color temperature two thousand seven hundred kelvin';
  const warm = {
    ...{ intent: { name: 'HassLightSet' }, match: true, source: 'builtin' },
    ...{ slots: { area: 'Kitchen', temperature: '2700' }, targets: { 'light.kitchen_ceiling': {} } },
  };

  test('is sent from that room', async () => {
    fake.understands((sentence, device) =>
      sentence === text && device === 'device-in-the-kitchen' ? warm : null,
    );
    fake.plays(() => spoken('Color set'));

    expect(await house.ask(text, kitchen)).toBe('Color set');

    expect(fake.calls).toMatchObject([{ text, device_id: 'device-in-the-kitchen' }]);
  });

  test('is not a command without a device in the room', async () => {
    fake.understands((_sentence, device) => (device === undefined ? null : warm));

    expect(await house.ask(text, { room: 'bedroom' })).toBeNull();

    expect(fake.calls).toEqual([]);
  });
});

describe('undo', () => {
  test('reverts the changes of a command, and nothing else', async () => {
    fake.sets('light.kitchen_ceiling', 'on');
    await house.ask('turn on the kitchen lights');

    expect(await house.undo()).toBe('Okay, I put Kitchen counter back as before.');

    expect(fake.services).toEqual([{ service: 'homeassistant/turn_off', ids: ['light.kitchen_counter'] }]);
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(await house.undo()).toBe('There is nothing to undo.');
  });

  test('closes blinds that were opened', async () => {
    await house.ask('open the blinds');

    expect(await house.undo()).toBe('Okay, I put Blinds back as before.');
    expect(fake.stateOf('cover.blinds')).toBe('closed');
  });

  test('never unlocks a door', async () => {
    await house.ask('unlock the front door');
    await house.ask('lock the front door');

    expect(await house.undo()).toBe(
      'You said, lock the front door, and your home did it. I cannot undo that. Tell me what you want instead.',
    );
    expect([fake.stateOf('lock.front_door'), fake.services]).toEqual(['locked', []]);
  });

  test('names what it undid', async () => {
    await house.ask('turn on the kitchen lights');

    expect(await house.whatWasDone()).toBe('You said, turn on the kitchen lights, and your home did it.');
  });

  test('has nothing to do without a change, and leaves earlier actions alone', async () => {
    fake.sets('light.bedside_lamp', 'on');
    await house.ask('turn on the kitchen lights');
    await house.ask('turn on the bedside lamp');

    expect(await house.undo()).toBe('There is nothing to undo.');
    expect(fake.services).toEqual([]);
  });

  test('means the lamp that has not changed yet, and nothing before it', { tags: 'slow' }, async () => {
    await house.ask('turn on the kitchen lights');
    await house.ask('turn on the lazy lamp');

    expect(await house.undo()).toBe('Okay, I put Lazy lamp back as before.');
    expect(fake.services).toEqual([{ service: 'homeassistant/turn_off', ids: ['light.lazy_lamp'] }]);
  });

  test('does not report a pending change as done', { tags: 'slow' }, async () => {
    await house.ask('turn on the lazy lamp');

    expect(await house.whatWasDone()).toBe('I have passed that on, but I cannot tell whether it worked.');
  });

  test('that failed is not reported as done, and can be repeated', async () => {
    await house.ask('turn on the bedside lamp');
    await fake.stop();
    const failed = await house.undo();
    const told = await house.whatWasDone();
    await fake.start();

    expect([failed, told]).toEqual([
      'I could not undo all of that.',
      'You said, turn on the bedside lamp, and your home did it.',
    ]);
    expect(await house.undo()).toBe('Okay, I put Bedside lamp back as before.');
    expect(fake.stateOf('light.bedside_lamp')).toBe('off');
  });
});

describe('an uncertain transcript', () => {
  test('switches a light, which a word switches back', async () => {
    expect(await house.ask('turn on the kitchen lights', { isSure: false })).toBe('Turned on the lights.');
  });

  test.each(['unlock the front door', 'open the blinds', 'turn on the flux capacitor', 'dim the lights'])(
    'does nothing that cannot be undone: %s',
    async (text) => {
      expect(await house.ask(text, { isSure: false, ...kitchen })).toBeNull();
      expect(fake.calls).toEqual([]);
    },
  );
});

describe('a sentence that is not for the house', () => {
  test.each(['What is the capital of France?', 'Tell me a joke', 'good morning', ''])(
    'is passed on: %j',
    async (text) => {
      expect(await house.ask(text, kitchen)).toBeNull();
      expect([fake.calls, fake.asked]).toEqual([[], []]);
    },
  );

  test.each(['What is the capital of France?', 'and the bedroom', ''])(
    'is refused to a tool: %j',
    async (text) => {
      const asked = question(text, kitchen);

      expect(await house.home.control.run(text, asked)).toEqual({
        ok: false,
        text: 'I do not know what your home should do.',
      });
      expect(fake.calls).toEqual([]);
    },
  );
});

describe('a tool', () => {
  test('acts like a command, and reports whether it succeeded', async () => {
    const run = (text: string) => house.home.control.run(text, question('make it bright', kitchen));

    expect(await run('turn on the lights')).toMatchObject({ ok: true, text: 'Turned on the lights.' });
    expect(await run('turn on the garage lamp')).toMatchObject({
      ok: false,
      text: 'Garage lamp is not responding.',
    });
    expect(await house.undo()).toBe('Okay, I put Kitchen ceiling and Kitchen counter back as before.');
  });
});
