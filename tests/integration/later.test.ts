import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSkill } from '../../api/src/respond/core/skill-language.ts';
import { createCarryOut } from '../../api/src/respond/later/carry-out.ts';
import { laterShape } from '../../api/src/respond/later/later-words.ts';
import type { Timer } from '../../api/src/timers/timer.ts';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTalk } from '../support/several.ts';
import { waitFor } from '../support/wait-for.ts';

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
  const times = { setting: Date.parse('2026-11-21T16:02:00Z'), rising: Date.parse('2026-11-22T07:28:00Z') };
  talk = openTalk(redis, house, { sunTimes: async () => times });
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

const all = () => talk.timers.all();
const knows = (name: string) =>
  waitFor(() => house.home.names().devices.includes(name), { what: `the house knows ${name}` });

describe('a command for later', () => {
  test.each([
    ['Turn on the kitchen lights in ten minutes.', 'All right: Turn on the kitchen lights, in ten minutes.'],
    ['In half an hour, turn on the lights.', 'All right: turn on the lights, in 30 minutes.'],
    ['Turn off the kitchen lights at six.', 'All right: Turn off the kitchen lights, today at 6 PM.'],
    [
      'Could you turn on the bedside lamp tomorrow at seven, please?',
      'All right: turn on the bedside lamp, tomorrow at 7 AM.',
    ],
    ['Turn on the kitchen lights at sunset.', 'All right: Turn on the kitchen lights, today at 4:02 PM.'],
    [
      'turn on the kitchen lights half an hour before sunset',
      'All right: turn on the kitchen lights, today at 3:32 PM.',
    ],
    [
      'at sunrise turn off the kitchen lights',
      'All right: turn off the kitchen lights, tomorrow at 7:28 AM.',
    ],
    [
      'turn on the kitchen lights tomorrow at sunset',
      'All right: turn on the kitchen lights, tomorrow at 4:02 PM.',
    ],
  ])('is scheduled, and not carried out yet: %s', async (text, reply) => {
    expect(await talk.say(text)).toBe(reply);

    expect(await all()).toMatchObject([{ kind: 'command', state: 'running', room: 'kitchen' }]);
    expect(fake.calls).toEqual([]);
  });

  test.each([
    ['Turn on the porch lights in ten minutes.', 'I do not know any porch lights.'],
    ['Turn on the porch lights at sunset.', 'I do not know any porch lights.'],
    ['Turn on the kitchen lights every day at sunset.', 'I can do that once, but not again and again.'],
    ['Turn on the kitchen lights when it gets dark.', 'I cannot wait for that'],
    ['Turn on the kitchen lights tonight.', 'I cannot do it like that.'],
    ['Set the kitchen lights to 40 percent for ten minutes.', 'I cannot do it like that.'],
    ['Unlock the front door for ten minutes.', 'I cannot do it like that.'],
    ['Turn on the porch lights for ten minutes.', 'I do not know any porch lights.'],
  ])('is refused if it would be impossible: %s', async (text, reply) => {
    expect(await talk.say(text)).toContain(reply);

    expect(await all()).toEqual([]);
  });

  test.each([
    ['Unlock the door in ten minutes.', 'The front door.', 'lock.front_door', 'locked'],
    ['Turn on a kitchen light for ten minutes.', 'Kitchen ceiling.', 'light.kitchen_ceiling', 'off'],
  ])('is not carried out at once for an answer without its time: %s', async (text, answer, id, state) => {
    expect(await talk.say(text)).toMatch(/^That may be .*\. Please say it again with the name\.$/);
    await talk.say(answer);

    expect([fake.calls, fake.stateOf(id), await all()]).toEqual([[], state, []]);
  });

  test('is not refused for a thing whose name is about to be read', async () => {
    fake.gains('light.moon', { name: 'Moon lamp', area: 'Kitchen', state: 'off' });
    expect(await talk.say('Turn on the moon lamp in ten minutes.')).toBe(
      'All right: Turn on the moon lamp, in ten minutes.',
    );

    fake.gains('light.star', { name: 'Star lamp', area: 'Kitchen', state: 'off' });
    expect(await talk.say('Turn on the star lamp for ten minutes.')).toContain('in ten minutes');

    fake.loses('light.moon');
    fake.loses('light.star');
  });

  test.each([
    'I turned off the kitchen lights at seven.',
    'What happened at nine?',
    'Turn up the kitchen lights by ten.',
    'Are the kitchen lights on at seven?',
  ])('differs from a remark or question: %s', async (text) => {
    await talk.say(text);

    expect(await all()).toEqual([]);
  });

  test.each([
    ['Cancel that.'],
    ['Undo that.'],
    ["Don't turn on the kitchen lights."],
    ["Don't turn on the kitchen lights in ten minutes."],
    ['Cancel the planned command.'],
    ['Cancel the light.'],
    ['Never mind the kitchen lights.'],
  ])('can be undone: %s', async (text) => {
    await talk.say('Turn on the kitchen lights in ten minutes.');

    expect(await talk.say(text)).toBe('I cancelled the command "Turn on the kitchen lights".');
    expect(await all()).toEqual([]);
  });

  test('is not cancelled for words that fit several, or none', async () => {
    await talk.say('Turn on the kitchen lights in ten minutes.');
    await talk.say('Turn on the bedside lamp in twenty minutes.');
    await talk.say('Cancel the porch.');

    expect(await talk.say('Cancel turn on.')).toBe(
      'Which command: Turn on the kitchen lights, Turn on the bedside lamp? Please say it whole.',
    );
    expect(await all()).toHaveLength(2);
  });

  test('is not the target of "cancel that" after another action', async () => {
    await talk.say('Turn on the kitchen lights in ten minutes.');
    await talk.say('What time is it?');
    await talk.say('Cancel that.');

    expect(await all()).toHaveLength(1);
  });

  test('for a while is carried out now, and its opposite is scheduled', async () => {
    expect(await talk.say('Turn on the kitchen lights for ten minutes.')).toBe(
      'Turned on the lights. I will turn off the kitchen lights in ten minutes.',
    );
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(await all()).toMatchObject([
      { kind: 'command', label: 'turn off the kitchen lights', state: 'running', room: 'kitchen' },
    ]);
    expect(await talk.say('What have you planned?')).toMatch(
      /^Coming up: the command "turn off the kitchen lights"/,
    );

    await talk.say('Undo that.');
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('off');
    expect(await all()).toEqual([]);
    expect(await talk.say('What have you planned?')).toBe('Nothing is planned.');
  });

  test('for a while may be for the sound of the room', async () => {
    fake.gains('media_player.radio', { name: 'Radio', area: 'Kitchen', state: 'playing' });
    await knows('Radio');

    expect(await talk.say('Mute for one hour.')).toBe('Muted Radio. I will unmute Radio in one hour.');
    expect(await all()).toMatchObject([{ kind: 'command', label: 'unmute Radio', room: 'kitchen' }]);
    fake.loses('media_player.radio');
  });

  test.each([
    ['Make coffee at three.', 'All right: make coffee, tomorrow at 3 AM.'],
    [
      'Can you set my coffee machine to make me coffee at seven am?',
      'All right: make coffee, tomorrow at 7 AM.',
    ],
    ['Start the coffee machine at six.', 'All right: turn on the coffee machine, today at 6 PM.'],
  ])('may be for a thing that no number can be set for: %s', async (text, reply) => {
    fake.gains('switch.coffee_machine', { name: 'Coffee machine', area: 'Kitchen', state: 'off' });
    await knows('Coffee machine');

    expect(await talk.say(text)).toBe(reply);
    expect(fake.stateOf('switch.coffee_machine')).toBe('off');
    fake.loses('switch.coffee_machine');
  });

  test('is cancelled by "never mind that" right afterwards', async () => {
    await talk.say('Turn on the kitchen lights in ten minutes.');
    await talk.say('Never mind that.');

    expect(await all()).toEqual([]);
  });

  test('that may open the house is scheduled only after a yes', async () => {
    expect(await talk.say('Unlock the front door in ten minutes.')).toBe(
      'That may let somebody in. Shall I really Unlock the front door in ten minutes?',
    );
    expect(await all()).toEqual([]);

    await talk.say('Yes.');

    expect(await all()).toMatchObject([{ command: { texts: ['Unlock the front door'], mayOpen: true } }]);
  });

  test('that may open the house is refused where a yes is impossible', async () => {
    await talk.say('Unlock the front door in ten minutes.', { conversation: null });
    await talk.say('Yes.');

    expect(await all()).toEqual([]);
  });

  test('may be one of several requests', async () => {
    await talk.say('Turn on the kitchen lights in an hour and set a timer for ten minutes.');

    expect((await all()).map(({ kind }) => kind)).toEqual(['timer', 'command']);
  });
});

describe('a command that is due', () => {
  /** Runs a worker at a time after the command was due. */
  const workerAt = (timer: Timer, lateMs = 0) => {
    const at = () => timer.dueAt + lateMs;
    return createCarryOut({
      reply: loadSkill(talk.files, 'later', laterShape).reply,
      house: house.home.planned,
      timers: talk.timers,
      log: { info: () => undefined },
      now: at,
      nowOf: at,
    });
  };
  const planned = async (text = 'Turn on the kitchen lights in ten minutes.'): Promise<Timer> => {
    await talk.say(text);
    const [timer] = await all();
    if (!timer) throw new Error('nothing is planned');
    return timer;
  };

  test('is carried out once, with any number of workers', async () => {
    const timer = await planned();

    await Promise.all([1, 2, 3].map(() => workerAt(timer).carryOut(timer)));

    expect(fake.calls.map(({ text }) => text)).toEqual(['Turn on the kitchen lights']);
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('on');
    expect(await all()).toEqual([]);
  });

  test('makes coffee, however it was asked for', async () => {
    fake.gains('switch.coffee_machine', { name: 'Coffee machine', area: 'Kitchen', state: 'off' });
    await knows('Coffee machine');
    const timer = await planned('Set the coffee machine to make me a coffee in ten minutes.');

    await workerAt(timer).carryOut(timer);

    expect(fake.stateOf('switch.coffee_machine')).toBe('on');
    fake.loses('switch.coffee_machine');
  });

  test('ends a mute', async () => {
    fake.gains('media_player.radio', { name: 'Radio', area: 'Kitchen', state: 'playing' });
    await knows('Radio');
    const timer = await planned('Mute for one hour.');

    await workerAt(timer).carryOut(timer);

    expect(fake.serviceData).toEqual([{ is_volume_muted: true }, { is_volume_muted: false }]);
    fake.loses('media_player.radio');
  });

  test('can be undone afterwards', async () => {
    const timer = await planned();
    await workerAt(timer).carryOut(timer);

    expect(await talk.say('Undo that.')).toContain('Kitchen ceiling');
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('off');
  });

  test('is not done if it was cancelled', async () => {
    const timer = await planned();
    await talk.say('Cancel that.');

    await workerAt(timer).carryOut(timer);

    expect(fake.calls).toEqual([]);
  });

  test.each<[string, () => void, string]>([
    [
      'the house does not answer',
      () => fake.plays(() => 'reset'),
      'Turn on the kitchen lights. I lost the connection to Home Assistant, so I do not know whether that happened',
    ],
    [
      'its things are not exposed any more',
      () => {
        fake.understands(() => null);
        for (const id of ['light.kitchen_ceiling', 'light.kitchen_counter'])
          fake.gains(id, { name: id, area: 'Kitchen', state: 'off', isHidden: true });
      },
      'Turn on the kitchen lights. I cannot do that with the kitchen lights',
    ],
  ])('is reported if %s', async (_why, breaks, label) => {
    const timer = await planned();
    breaks();

    await workerAt(timer).carryOut(timer);

    expect(await all()).toMatchObject([{ id: timer.id, kind: 'reminder', state: 'ringing', label }]);
  });

  test('is skipped when it is late, and that is reported', async () => {
    const timer = await planned();

    await workerAt(timer, 11 * 60_000).carryOut(timer);

    const label = 'Turn on the kitchen lights. I was off when it was due, so I have not done it';
    expect(await all()).toMatchObject([{ kind: 'reminder', state: 'ringing', label }]);
    expect(fake.calls).toEqual([]);
  });

  test('opens nothing without a previous yes', async () => {
    const timer = await planned();
    fake.understands(() => ({
      intent: { name: 'HassTurnOn' },
      slots: { name: 'said' },
      match: true,
      targets: { 'lock.front_door': { matched: true } },
    }));

    await workerAt(timer).carryOut(timer);

    expect(fake.stateOf('lock.front_door')).toBe('locked');
    expect(fake.calls).toEqual([]);
  });

  test('of a dead worker is not repeated, and that is reported', async () => {
    const timer = await planned();
    const begun = await talk.timers.begin(timer);
    if (!begun) throw new Error('it was begun before');

    await workerAt(timer).carryOut(timer);
    await workerAt(timer).lose(begun);

    const label = 'Turn on the kitchen lights. I do not know whether I have done it';
    expect(await all()).toMatchObject([{ kind: 'reminder', state: 'ringing', label }]);
    expect(fake.calls).toEqual([]);
  });
});
