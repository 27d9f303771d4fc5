import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type FakeHome, homeToken, startFakeHome } from '../support/fakes/fake-home.ts';
import { openHouse } from '../support/servers/house.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { openTalk } from '../support/several.ts';
import { question, remarks } from '../support/skills.ts';

const lines = z.array(z.string());
const sentences = z
  .object({ done: lines, refused: lines, whole: lines, reasons: lines, no_reasons: lines })
  .parse(parse(readFileSync(new URL('../sentences/several.yaml', import.meta.url), 'utf8')));

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

const state = async () => [
  (await talk.timers.all()).length,
  (await talk.lists.read('shopping')).length,
  fake.stateOf('light.kitchen_ceiling'),
];

describe('several requests in one sentence', () => {
  test.each(sentences.done.map((line) => line.split(' => ')))('all run: %s', async (text, reply) => {
    expect(await talk.say(text ?? '')).toBe(reply);
  });

  test.each(sentences.refused.map((line) => line.split(' => ')))(
    'are all refused: %s',
    async (text, reply) => {
      expect(await talk.say(text ?? '')).toBe(reply);

      expect(await state()).toEqual([0, 0, 'off']);
    },
  );

  test.each(sentences.whole)('are not found in: %s', async (text) => {
    expect(await talk.several.respond(question(text, { room: 'kitchen' }))).toBeNull();
  });

  test('are not found in remarks, which do nothing', async () => {
    const taken: string[] = [];
    for (const text of remarks) if (await talk.several.respond(question(text))) taken.push(text);

    // Hearth cannot make phone calls, and says so.
    expect(taken).toEqual(['Put milk on the list and call mum.']);
    expect(await state()).toEqual([0, 0, 'off']);
  });

  test('may contain one that asks back', async () => {
    await talk.say('Turn on the kitchen lights and remind me to call the plumber.');

    expect(await talk.say('At five.')).toBe('I will remind you today at 5 PM to call the plumber.');
  });

  test('may contain one that asks, and the next turn answers it', async () => {
    await talk.say('Set a timer. What time is it?');

    expect(await talk.say('Ten minutes.')).toBe('Timer, ten minutes.');
  });

  test.each([
    [['to call Anna', 'at five'], 'I will remind you today at 5 PM to call Anna.'],
    [['call Anna', 'at five'], 'I will remind you today at 5 PM: call Anna.'],
    [['about the dentist on Monday'], 'I will remind you on Monday at 9 AM about the dentist.'],
    [['why is the sky blue'], null],
  ])('after "remind me", %j is its subject and its time', async (answers, reply) => {
    expect(await talk.say('Remind me.')).toBe('What shall I remind you of, and when?');

    const [first = '', second] = answers;
    const said = await talk.say(first);
    expect(second === undefined ? said : await talk.say(second)).toBe(reply);
  });

  test('asks for the number of minutes or hours, and removes it from the text', async () => {
    await talk.say('Remind me to take out the pizza in twenty.');

    expect(await talk.say('Minutes.')).toBe('I will remind you in 20 minutes to take out the pizza.');
  });

  test('a day stays where only its time is open', async () => {
    await talk.say('Remind me to phone Sam between three and four tomorrow.');

    expect(await talk.say('At half past three.')).toBe('I will remind you tomorrow at 3:30 PM to phone Sam.');
  });

  test.each([
    ['Remind me every Monday and on the first of the month to pay.', 'pay'],
    ['Remind me on the first and every Monday to pay.', 'pay'],
    ['Remind me every day at eight and on Sunday at ten about the pill.', 'the pill'],
    ['Remind me tomorrow and every second Friday that the bins go out.', 'the bins go out'],
    ['Remind me on weekdays at seven and on Saturday at nine to feed the cat.', 'feed the cat'],
    ['Remind me at noon and every evening to drink water.', 'drink water'],
    ['Remind me in an hour and every Tuesday at six to call mum.', 'call mum'],
    ['Remind me on Monday, and on the last of the month, to pay.', 'pay'],
    ['Set a reminder for Monday and for the first of every month to pay.', 'pay'],
    ['Remind me tomorrow and on Friday to water the plants.', 'water the plants'],
    ['Remind me at 8 am and at 8 pm to take the pill.', 'take the pill'],
    ['Remind me every Monday and every second Friday to put the bins out.', 'put the bins out'],
  ])('with one subject set both reminders with it, or none: %s', async (text, subject) => {
    const said = await talk.say(text);

    const labels = (await talk.timers.all()).map(({ label }) => label);
    if (labels.length > 0) expect(labels).toEqual([subject, subject]);
    else expect(said ?? '').not.toContain('I will remind you');
  });

  test('that are two reminders never become one', async () => {
    const subjects = [
      ['about the dentist', 'the dentist', 'about the bins', 'the bins'],
      ['to call mum', 'call mum', 'to feed the cat', 'feed the cat'],
      ['about the party', 'the party', 'to buy flowers', 'buy flowers'],
    ];
    const times = [
      'tomorrow',
      'on Monday',
      'at seven',
      'on Friday at noon',
      'in two hours',
      'at half past nine',
    ];
    const joints = [' and ', ', ', ' and then ', ' and also ', ', and '];
    const sentencesOf = times.flatMap((time, at) =>
      joints.flatMap((joint, number) => {
        const [first, , second] = subjects[(at + number) % subjects.length] ?? [];
        const other = times[(at + number + 1) % times.length];
        return [
          `Remind me ${first} ${time}${joint}${second} ${other}.`,
          `Remind me ${time} ${first}${joint}${other} ${second}.`,
        ];
      }),
    );
    const labels = new Set(subjects.flatMap(([, first, , second]) => [first, second]));
    const wrong: string[] = [];
    let bothSet = 0;
    for (const text of sentencesOf) {
      await redis.flushall();
      talk.begin();
      await talk.say(text);
      const set = await talk.timers.all();
      if (set.length === 2) bothSet += 1;
      if (set.length === 1 || !set.every(({ label }) => labels.has(label ?? ''))) wrong.push(text);
    }

    expect(wrong).toEqual([]);
    expect(bothSet).toBeGreaterThan(sentencesOf.length / 2);
  });

  test('are reported and undone together', async () => {
    await talk.say('Turn on the kitchen lights, add milk to the shopping list and set a timer for one hour.');

    expect(await talk.say('What did you do?')).toBe(
      'You said, Turn on the kitchen lights, and your home did it. I added milk to the shopping list. I set the one hour timer with one hour left.',
    );
    expect(await talk.say('Undo that.')).toBe(
      'I cancelled the one hour timer. I took milk off the shopping list again. Okay, I put Kitchen ceiling and Kitchen counter back as before.',
    );
    expect(await state()).toEqual([0, 0, 'off']);
    expect(await talk.say('Undo that.')).toBe('There is nothing to undo.');
  });

  test('are carried out once, though the turn runs twice', async () => {
    const turn = { id: 'twice' };
    const text = 'Add milk to the shopping list and set a timer for ten minutes.';

    expect(await talk.say(text, turn)).toBe(await talk.say(text, turn));

    expect(await state()).toEqual([1, 1, 'off']);
  });

  test('are not carried out before the turn is certain', async () => {
    const beginActing = () => Promise.reject(new Error('called off'));

    const said = talk.say('Set a timer for ten minutes and turn on the kitchen lights.', {}, { beginActing });

    await expect(said).rejects.toThrow('called off');
    expect(await state()).toEqual([0, 0, 'off']);
  });

  test('in an uncertain transcript are left to the question for confirmation', async () => {
    const text = 'Lock the front door and set a timer for ten minutes.';

    expect(await talk.several.respond(question(text, { isSure: false }))).toBeNull();
  });
});

describe('a reason beside a request', () => {
  test.each(sentences.reasons.map((line) => line.split(' => ')))('is left out: %s', async (text, reply) => {
    expect(await talk.say(text ?? '')).toBe(reply);
  });

  test.each(sentences.no_reasons)('is not found in: %s', async (text) => {
    expect(await talk.reasons.respond(question(text, { room: 'kitchen' }))).toBeNull();
    expect(await state()).toEqual([0, 0, 'off']);
  });

  test('is not found in remarks', async () => {
    const taken: string[] = [];
    for (const text of remarks) if (await talk.reasons.respond(question(text))) taken.push(text);

    expect(taken).toEqual([]);
  });

  test('is not left out of an uncertain transcript', async () => {
    const text = 'Turn on the kitchen lights because I cannot see.';

    expect(await talk.reasons.respond(question(text, { isSure: false }))).toBeNull();
  });
});
