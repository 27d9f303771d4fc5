import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Question } from '../../api/src/respond/core/responder.ts';
import { effectivePipeline } from '../../api/src/settings/pipeline.ts';
import type { Routine } from '../../api/src/settings/routine.ts';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTalk } from '../support/several.ts';

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

const goodNight = (...steps: Routine['steps']): Routine => ({
  name: 'Good night',
  sentences: ['Good night', 'Bedtime'],
  steps,
});

/** Says it in a household that has this routine. */
const sayWith = (routine: Routine, text = 'Good night.', more: Partial<Question> = {}) =>
  talk.say(text, {}, { settings: { ...effectivePipeline({}, {}).values, routines: [routine] }, ...more });

describe('a routine', () => {
  test('carries out its steps in order, and reports each outcome', async () => {
    const heard: string[] = [];
    const routine = goodNight(
      { say: 'Sleep well' },
      { command: 'Turn on the kitchen lights.' },
      { ask: 'What alarms are set?' },
      { command: 'set an alarm for seven' },
    );

    const answer = await sayWith(routine, 'Bedtime!', { say: (words) => void heard.push(words) });

    expect(answer).toBe('Sleep well. Turned on the lights. There is no alarm. Alarm, today at 7 PM.');
    expect([heard.join(''), heard.length, heard[0]]).toEqual([answer, 4, 'Sleep well.']);
    expect([(await talk.timers.all()).length, fake.stateOf('light.kitchen_ceiling')]).toEqual([1, 'on']);
  });

  test('names the failed steps, and carries out the rest', async () => {
    const routine = goodNight(
      { command: 'turn off the lava lamp' },
      { command: 'wish me luck' },
      { ask: 'set a timer for ten minutes' },
      { command: 'add milk to the shopping list' },
    );

    expect(await sayWith(routine)).toBe(
      'Turn off the lava lamp: I do not know any lava lamp in the Kitchen. Wish me luck: I do not know what that means any more. Set a timer for ten minutes: that is a command, so I have not done it here. I added milk to the shopping list.',
    );
    expect([(await talk.timers.all()).length, (await talk.lists.read('shopping')).length]).toEqual([0, 1]);
  });

  test('is undone as a whole', async () => {
    const routine = goodNight(
      { command: 'turn on the kitchen lights' },
      { command: 'add milk to the shopping list' },
    );
    await sayWith(routine);

    expect(await talk.say('Undo that.')).toBe(
      'I took milk off the shopping list again. Okay, I put Kitchen ceiling and Kitchen counter back as before.',
    );
    expect([(await talk.lists.read('shopping')).length, fake.stateOf('light.kitchen_ceiling')]).toEqual([
      0,
      'off',
    ]);
    expect(await talk.say('Undo that.')).toBe('There is nothing to undo.');
  });

  test('opens the house only after a yes, after all other steps', async () => {
    const routine = goodNight(
      { command: 'unlock the front door' },
      { command: 'turn on the kitchen lights' },
    );

    expect(await sayWith(routine)).toBe(
      'Turned on the lights. Unlock the front door: that may let somebody in. Shall I do it?',
    );
    expect([fake.stateOf('lock.front_door'), fake.stateOf('light.kitchen_ceiling')]).toEqual([
      'locked',
      'on',
    ]);
    expect(await talk.say('Yes.')).toBe('Turned on the lights.');
    expect(fake.stateOf('lock.front_door')).toBe('unlocked');
  });

  test("asks a step's question last, and understands the answer", async () => {
    await talk.say('Add milk and eggs to the shopping list.');
    const routine = goodNight({ command: 'clear the shopping list' }, { say: 'Sleep well.' });

    expect(await sayWith(routine)).toBe('Sleep well. Shall I clear the shopping list, with 2 things on it?');
    expect((await talk.lists.read('shopping')).length).toBe(2);
    await talk.say('Yes.');
    expect((await talk.lists.read('shopping')).length).toBe(0);
  });

  test('continues without a house that does not answer', async () => {
    const routine = goodNight({ command: 'turn on the kitchen lights' }, { say: 'Sleep well.' });
    fake.understands(() => 'silent');

    expect(await sayWith(routine)).toBe(
      'Turn on the kitchen lights: that took too long, so I went on without it. Sleep well.',
    );
  });

  test('carries out each step once, though the turn runs twice', async () => {
    const routine = goodNight(
      { command: 'add milk to the shopping list' },
      { command: 'set a timer for ten minutes' },
    );
    const settings = { ...effectivePipeline({}, {}).values, routines: [routine] };

    const once = await talk.say('Good night.', { id: 'twice' }, { settings });
    expect(await talk.say('Good night.', { id: 'twice' }, { settings })).toBe(once);
    expect([(await talk.timers.all()).length, (await talk.lists.read('shopping')).length]).toEqual([1, 1]);
  });

  test('does nothing before the turn is certain', async () => {
    const beginActing = () => Promise.reject(new Error('called off'));
    const said = sayWith(goodNight({ command: 'turn on the kitchen lights' }), 'Good night.', {
      beginActing,
    });

    await expect(said).rejects.toThrow('called off');
    expect(fake.stateOf('light.kitchen_ceiling')).toBe('off');
  });

  test('is asked back if the transcript is uncertain', async () => {
    const settings = { ...effectivePipeline({}, {}).values, routines: [goodNight({ say: 'Sleep well.' })] };

    expect(await talk.say('Bedtime.', { isSure: false }, { settings })).toBe('Did you say "Bedtime"?');
  });

  test('is announced, and good night stays a greeting without one', async () => {
    const routine = goodNight({ command: 'Turn off all lights.' }, { say: 'Sleep well.' });

    expect(await sayWith(routine, 'What does good night do?')).toBe(
      'Good night: Turn off all lights, then I say, Sleep well.',
    );
    expect(await sayWith(routine, 'List my routines.')).toBe('Your routines: Good night.');
    expect(await talk.say('Good night.')).toMatch(/^(Goodbye|Bye for now)\.$/);
  });
});

describe('the check of routines', () => {
  const signal = new AbortController().signal;
  const fault = (...routines: Routine[]) =>
    talk.checkRoutines({ routines, changed: routines.map((_, at) => at) }, signal);

  test.each([
    [{ command: 'turn off all lights' }],
    [{ command: 'unlock the front door' }],
    [{ command: 'cancel all alarms' }],
    [{ command: 'clear the shopping list' }],
    [{ command: 'set an alarm for seven' }],
    [{ ask: 'what time is it' }],
    [{ ask: 'what alarms are set' }],
    [{ ask: 'is the front door locked' }],
    [{ say: 'Stop worrying.' }],
  ])('accepts %j', async (step) => {
    expect(await fault(goodNight(step))).toBeNull();
    expect([(await talk.timers.all()).length, fake.stateOf('lock.front_door')]).toEqual([0, 'locked']);
  });

  test.each([
    [{ command: 'turn off the lava lamp' }, 'refused'],
    [{ command: 'set an alarm' }, 'asks_back'],
    [{ command: 'make me happy' }, 'not_understood'],
    [{ ask: 'who was the first person on the moon' }, 'not_understood'],
    [{ ask: 'turn off all lights' }, 'acts'],
    [{ ask: 'set an alarm for seven' }, 'acts'],
    [{ command: 'undo that' }, 'no_request'],
    [{ command: 'yes' }, 'no_request'],
    [{ command: 'bedtime' }, 'starts_routine'],
    [{ ask: 'what is the weather in the stock market' }, 'refused'],
  ])('refuses %j', async (step, kind) => {
    const [found] = Object.keys(step);
    expect(await fault(goodNight({ say: 'So.' }, step))).toMatchObject({
      param: `routines.0.steps.1.${found}`,
      kind,
    });
  });

  test.each(['stop', 'yes', 'undo that', 'what time is it', 'turn off the kitchen lights', 'thank you'])(
    'lets no built-in sentence start one: %s',
    async (text) => {
      expect(await fault({ ...goodNight({ say: 'So.' }), sentences: ['bedtime', text] })).toMatchObject({
        param: 'routines.0.sentences.1',
        kind: 'sentence_known',
      });
    },
  );

  test('allows no shared names or sentences', async () => {
    const other = { ...goodNight({ say: 'So.' }), name: 'Night' };

    expect(await fault(goodNight({ say: 'So.' }), { ...other, name: 'good night!' })).toMatchObject({
      param: 'routines.1.name',
      kind: 'name_taken',
    });
    expect(await fault(goodNight({ say: 'So.' }), { ...other, sentences: ['BEDTIME'] })).toMatchObject({
      param: 'routines.1.sentences.0',
      kind: 'sentence_taken',
    });
  });
});
