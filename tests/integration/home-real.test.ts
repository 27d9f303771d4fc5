/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openHomeLine } from '../../api/src/engines/home-line.ts';
import { openHouse } from '../support/servers/house.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { hasRealHome, startRealHome } from '../support/servers/real-home.ts';
import { waitFor } from '../support/wait-for.ts';

if (!hasRealHome)
  process.stdout.write(
    'Left out: the tests against a real Home Assistant, because the image offline/home-assistant is not there.\n',
  );

describe.skipIf(!hasRealHome)('a real Home Assistant', () => {
  let server: OwnRedis;
  let redis: Redis;
  let real: Awaited<ReturnType<typeof startRealHome>>;
  let house: Awaited<ReturnType<typeof openHouse>>;

  beforeAll(async () => {
    [server, real] = await Promise.all([startRedis(), startRealHome()]);
    redis = await connectTo(server.url);
    house = await openHouse({ redis, url: real.url, token: real.token });
    await house.known();
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    await house?.close();
    redis?.disconnect();
    await real?.stop();
    await server?.stop();
  });

  const kitchen = { room: 'kitchen' };

  test('lists its rooms and things', () => {
    expect(house.home.names().rooms).toEqual(expect.arrayContaining(['Kitchen', 'Living Room', 'Garden']));
    expect(house.home.names().devices).toEqual(expect.arrayContaining(['Kitchen ceiling', 'Front door']));
  });

  test('announces a new room', async () => {
    const line = openHomeLine({ baseUrl: real.url, token: real.token });
    await line.ask({ type: 'config/area_registry/create', name: 'Shed' }, AbortSignal.timeout(10_000));
    line.close();

    // Polling for it would take up to a minute.
    await waitFor(() => house.home.names().rooms.includes('Shed'));
  });

  test('turns on the lights of the room of the command', async () => {
    await house.ask('turn off all the lights');

    expect(await house.ask('Could you turn on the lights, please?', kitchen)).toBe('Turned on the lights.');

    expect(await real.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(await real.stateOf('light.kitchen_counter')).toBe('on');
    expect(await real.stateOf('light.floor_lamp')).toBe('off');
  });

  test('counts brightness from one to ten', async () => {
    expect(await house.ask('set the lights to seven', kitchen)).toMatch(/ set to 70 percent\.$/);

    expect(await real.stateOf('light.kitchen_counter')).toBe('on');
  });

  test('does what it understands word for word, without a sentence of ours', async () => {
    await house.ask('turn off all the lights');

    expect(await house.ask('make the bedroom blue')).toBe('Bedside lamp cannot show colors.');
    expect(await house.ask('light up the kitchen')).toBe('Turned on the lights');

    expect(await real.stateOf('light.bedside_lamp')).toBe('off');
    expect(await real.stateOf('light.kitchen_counter')).toBe('on');
    expect(await real.stateOf('light.floor_lamp')).toBe('off');
  });

  test('does what it understands only with the room of the command', async () => {
    await house.ask('turn off all the lights');

    expect(await house.ask('set the brightness to the max', kitchen)).toMatch(/ set to 100 percent\.$/);

    expect(await real.stateOf('light.kitchen_counter')).toBe('on');
    expect(await real.stateOf('light.floor_lamp')).toBe('off');
  });

  test.each(['the bedroom is blue', 'should I make the bedroom blue', 'bedside lamp', 'the bedroom to 21'])(
    'does nothing after a sentence that only sounds like a command: %s',
    async (text) => {
      const before = await real.standing();

      expect(await house.ask(text)).toBeNull();

      expect(await real.standing()).toEqual(before);
    },
  );

  test('makes lights brighter and darker relative to their state', async () => {
    await house.ask('turn off all the lights');

    expect(await house.ask('dim the lights', kitchen)).toBe('The lights are off.');
    await house.ask('set the brightness to 60%', kitchen);
    expect(await house.ask('dim the lights', kitchen)).toBe('Brightness set to 40 percent.');
    expect(await house.ask('make the kitchen brighter')).toBe('Brightness set to 60 percent.');

    expect(await real.stateOf('light.bedside_lamp')).toBe('off');
  });

  test('turns on all lights of the house, one after the other', async () => {
    await house.ask('turn off all the lights');

    // One of them is broken, one slow, one without power.
    expect(await house.ask('turn on all the lights')).toMatch(/^(Okay|Done)\. /);

    for (const id of ['light.kitchen_ceiling', 'light.bedside_lamp', 'light.floor_lamp'])
      expect(await real.stateOf(id)).toBe('on');
  });

  test('does not take a room without a name for the whole house', async () => {
    const before = await real.standing();

    expect(await house.ask('brighter', { room: 'Gazebo' })).toMatch(/^Which one: /);

    expect(await real.standing()).toEqual(before);
  });

  test('has no volume without a player and no weather without a service', async () => {
    expect(await house.ask('turn the volume up', kitchen)).toBeNull();
    expect(await house.ask('what is the weather', kitchen)).toBeNull();
  });

  test('says of a locked door that it is locked', async () => {
    await house.ask('lock the front door');

    expect(await house.ask('lock the front door')).toBe('Front door is already locked.');
  });

  test('does what depends on the answer to the last question', async () => {
    await house.ask('turn off all the lights');
    await house.ask('turn on the kitchen ceiling');
    await house.ask('is the kitchen ceiling on');
    expect(await house.ask('if not, turn it on')).toBe('Kitchen ceiling is on, so I did nothing.');

    expect(await house.ask('if so, turn it off')).toMatch(/^Kitchen ceiling is on\. /);

    expect(await real.stateOf('light.kitchen_ceiling')).toBe('off');
  });

  test('turns on two things in one sentence, and both of a pair', async () => {
    await house.ask('turn off all the lights');

    await house.ask('turn on the kitchen ceiling and the bedside lamp');
    await house.ask('turn on the floor lamp and open the living room blinds');

    expect(await real.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(await real.stateOf('light.bedside_lamp')).toBe('on');
    expect(await real.stateOf('light.floor_lamp')).toBe('on');
    expect(await real.stateOf('cover.living_room_blinds')).toBe('open');
  });

  test('is followed to the next room, and undoes the action', async () => {
    await house.ask('turn off all the lights');
    await house.ask('turn on the kitchen lights');

    await house.ask('and the bedroom');
    expect(await real.stateOf('light.bedside_lamp')).toBe('on');
    await house.undo();

    expect(await real.stateOf('light.bedside_lamp')).toBe('off');
    expect(await real.stateOf('light.kitchen_ceiling')).toBe('on');
  });

  test.each([
    ['turn on the broken lamp', 'Your home tried, but that did not work.'],
    ['turn on the unplugged lamp', 'Unplugged lamp is not responding.'],
    ['turn on the lights in the garage', 'Broken lamp is not responding.'],
    ['turn on the slow lamp', 'I have passed that on, but Slow lamp is not there yet.'],
    ['turn on the garden lights', 'I do not know any garden lights.'],
    ['turn on the flux capacitor', 'I do not know any flux capacitor.'],
  ])('never does what it denies: %s', async (text, reply) => {
    expect(await house.ask(text)).toBe(reply);
  });

  test.each([
    ['turn off the porch light', 'I do not know any porch light.'],
    ['turn on the lights in the backyard', 'I do not know any lights in the garden.'],
    ['turn on my balcony lights', 'I do not know any balcony lights.'],
    ['turn off my desk lamp', 'I do not know any desk lamp in the Kitchen.'],
    ['turn off the closet light', 'I do not know any closet light in the Kitchen.'],
    ['turn up the heating', 'The heating is off. Shall I turn it on?'],
  ])('gets no command with another effect: %s', async (text, reply) => {
    // Some of the lights are on, so that either change is visible.
    await house.ask('turn off all the lights');
    await house.ask('turn on the kitchen ceiling');
    const before = await real.standing();

    expect(await house.ask(text, kitchen)).toBe(reply);

    expect(await real.standing()).toEqual(before);
  });

  test.each([
    ['turn on the ceiling light', 'light.kitchen_ceiling'],
    ['set the lights in the kitchen to 50 percent', 'light.kitchen_counter'],
    ['lights on in here', 'light.kitchen_counter'],
    ['turn on the kitchen counter light', 'light.kitchen_counter'],
  ])('does exactly what was said, in words that it knows: %s', async (text, id) => {
    await house.ask('turn off all the lights');

    await house.ask(text, kitchen);

    expect(await real.stateOf(id)).toBe('on');
    expect(await real.stateOf('light.floor_lamp')).toBe('off');
  });

  test('answers no if not all of it is true', async () => {
    await house.ask('turn off all the lights');
    await house.ask('turn on the kitchen ceiling');
    await house.ask('unlock the front door');

    expect(await house.ask('Are the kitchen lights on?')).toBe(
      'No, Kitchen ceiling is on and Kitchen counter is off.',
    );
    expect(await house.ask('Are any kitchen lights on?')).toBe('Yes, Kitchen ceiling is on.');
    expect(await house.ask('Did I leave the kitchen lights on?')).toBe('Yes, Kitchen ceiling is on.');
    expect(await house.ask('Did I lock the doors?')).toBe('No, Front door is unlocked.');
  });

  test('locks and unlocks the door', async () => {
    await house.ask('unlock the front door');
    expect(await real.stateOf('lock.front_door')).toBe('unlocked');

    await house.ask('lock the front door');
    expect(await real.stateOf('lock.front_door')).toBe('locked');
    expect(await house.ask('Is the front door locked?')).toBe('Yes, Front door is locked.');
  });

  test('answers questions, in our words if it does not know them', async () => {
    await house.ask('turn off all the lights');
    await house.ask('turn on the kitchen lights');

    expect(await house.ask('Are the kitchen lights on?')).toBe(
      'Yes, Kitchen ceiling and Kitchen counter are on.',
    );
    expect(await house.ask('Are any kitchen lights on?')).toBe(
      'Yes, Kitchen ceiling and Kitchen counter are on.',
    );
    // Only "the lights" are those of the room.
    expect(await house.ask('Are any lights on?', { room: 'bedroom' })).toBe(
      'Yes, Kitchen ceiling and Kitchen counter are on. Unplugged lamp is not responding.',
    );
    expect(await house.ask('Are the lights on?', { room: 'bedroom' })).toBe('No, Bedside lamp is off.');
    expect(await house.ask('Which lights are on?')).toBe(
      'Kitchen ceiling and Kitchen counter. Unplugged lamp is not responding.',
    );
    expect(await house.ask('What is the temperature in the bedroom?')).toBe(
      'Bedroom temperature is 21.5 °C.',
    );
    expect(await house.ask('Is the garage door open?')).toBe('I cannot find that out from your home.');
  });

  test.each([
    'Are the kitchen lights on?',
    'Are the lights on?',
    'Did I leave the floor lamp on?',
    'Is the coffee machine off?',
    'Is the front door unlocked?',
    'Are the living room blinds closed?',
    'How many lights are off?',
    'What is the state of the floor lamp?',
  ])('is not changed by a question: %s', async (text) => {
    const ids = ['light.kitchen_ceiling', 'light.floor_lamp', 'switch.coffee_machine', 'lock.front_door'];
    const states = () => Promise.all([...ids, 'cover.living_room_blinds'].map(real.stateOf));
    const before = await states();

    await house.ask(text, kitchen);

    expect(await states()).toEqual(before);
  });

  test('is distinguished while it stops and restarts', async () => {
    const done = 'Turned on the lights.';
    const said: (string | null)[] = [];
    const restarted = real.restart();
    // It stops within this call; then come the sentences said until it is back.
    await waitFor(async () => (await house.ask('turn on the kitchen lights')) !== done);
    await waitFor(async () => said[said.push(await house.ask('turn on the kitchen lights')) - 1] === done, {
      withinMs: 60_000,
    });
    await restarted;

    const honest = [
      done,
      'I cannot reach Home Assistant.',
      'I lost the connection to Home Assistant, so I do not know whether that happened.',
      'Home Assistant is still starting. Please try again in a moment.',
    ];
    expect(said.filter((each) => each === null || !honest.includes(each))).toEqual([]);
  });
});
