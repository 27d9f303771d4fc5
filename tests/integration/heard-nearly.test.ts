import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import {
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';

let home: FakeHome;
let house: VoiceHousehold;
beforeAll(async () => {
  home = await startFakeHome();
  house = await startVoiceHousehold({ env: home.env });
});
beforeEach(() => {
  house.forget();
  home.forget();
});
afterAll(async () => {
  await house?.stop();
  await home?.stop();
});

const hears = async (text: string, client = text) => {
  house.stt.hears({ text });
  const { reply, via } = spokenAnswerOf(await house.say('?', { client }));
  return { reply, via };
};

async function understandingOf(conversation: string): Promise<unknown> {
  const query = new URLSearchParams({ conversation });
  const { body } = await house.assistant.call(`/admin/exchanges?${query}`);
  return z.object({ exchanges: z.array(z.object({ understood: z.unknown() })) }).parse(body).exchanges[0]
    ?.understood;
}

describe('a spoken sentence with an alternative transcript', () => {
  const hearsAlso = async (
    text: string,
    alternatives: [text: string, avgLogprob: number][],
    client = text,
  ) => {
    const others = alternatives.map(([other, avg_logprob]) => ({ text: other, avg_logprob }));
    house.stt.hears({ text, hearth: { reason: null, alternatives: others } });
    const { reply, via, heard } = spokenAnswerOf(await house.say('?', { client }));
    return { reply, via, heard };
  };

  test('is answered as the likeliest text that makes sense', async () => {
    const answer = await hearsAlso('Get rid of Michael arm.', [
      ['Get read of my alarm.', -0.25],
      ['Set a timer for five minutes.', -0.3],
      ['Set a timer for nine minutes.', -0.35],
    ]);

    expect(answer).toEqual({
      reply: 'Timer, five minutes.',
      via: 'skills',
      heard: 'Set a timer for five minutes.',
    });
    expect(house.llm.calls).toEqual([]);
  });

  test('is stored with the transcript, its alternatives and the rule that matched', async () => {
    await hearsAlso('Get rid of Michael arm.', [['Set a timer for seven minutes.', -0.3]], 'why timer');
    await hearsAlso('Turn on the chicken fights.', [['Turn on the kitchen lights.', -0.3]], 'why home');

    expect(await understandingOf('why timer')).toEqual({
      via: 'skills',
      rule: 'timers: set',
      names: ['duration=seven minutes'],
      room: null,
      heard: 'Get rid of Michael arm.',
      is_sure: true,
      alternatives: ['Set a timer for seven minutes.'],
    });
    expect(await understandingOf('why home')).toMatchObject({
      via: 'home',
      rule: 'home: on',
      names: ['kitchen lights', 'kitchen'],
      heard: 'Turn on the chicken fights.',
    });
  });

  test('is carried out in the house', async () => {
    const answer = await hearsAlso('Turn on the chicken fights.', [['Turn on the kitchen lights.', -0.3]]);

    expect(answer).toMatchObject({ via: 'home', heard: 'Turn on the kitchen lights.' });
    expect(home.stateOf('light.kitchen_ceiling')).toBe('on');
  });

  test('is asked back if the better text is uncertain too, or cannot be undone', async () => {
    const guess = await hearsAlso('Look at the front floor.', [['Lock the front door.', -0.9]]);
    const final = await hearsAlso('Forget this conservation.', [['Forget this conversation.', -0.25]]);

    expect([guess.reply, final.reply]).toEqual([
      'Did you mean "Lock the front door"?',
      'Did you mean "Forget this conversation"?',
    ]);
    expect(home.calls).toEqual([]);
  });

  test('stays unchanged if a rule understands it, or no rule understands either', async () => {
    const known = await hearsAlso('What is 15 plus 20?', [['What is 50 plus 20?', -0.21]]);
    const remark = await hearsAlso('The cat sat on a mat.', [['The cat sat on the mat.', -0.25]]);

    expect(known).toMatchObject({ heard: 'What is 15 plus 20?', reply: '15 plus 20 is 35.' });
    expect(remark).toMatchObject({ heard: 'The cat sat on a mat.', via: 'local' });
  });
});

describe('a spoken sentence with one misheard word', () => {
  test.each([
    ['How many grants are in three ounces?', '3 ounces is about 85 grams.'],
    ['Set a tumor for five minutes.', 'Timer, five minutes.'],
    ['Add oats to the shopping least.', 'I added oats to the shopping list.'],
  ])('is answered as intended: %s', async (text, reply) => {
    expect(await hears(text)).toEqual({ reply, via: 'skills' });
    expect(house.llm.calls).toEqual([]);
  });

  test('is asked back if it is for the house, and carried out after a yes', async () => {
    const asked = await hears('Turn on the kitten lights.', 'lights');
    expect([asked.reply, home.calls]).toEqual(['Did you mean "Turn on the kitchen lights"?', []]);

    const done = await hears('Yes.', 'lights');

    expect(done.via).toBe('home');
    expect(home.stateOf('light.kitchen_ceiling')).toBe('on');
  });

  test('is left alone after a no', async () => {
    await hears('Turn on the kitten lights.', 'no');
    await hears('No.', 'no');

    expect(home.calls).toEqual([]);
  });

  test.each([
    'I saw a kitten and a light today.',
    'The timber for the shed costs five pounds more.',
    'She has a tumor, the doctor said.',
    'My least favourite milk is oat milk.',
    'What do grants for students cost?',
  ])('is not derived from a remark or a question: %s', async (text) => {
    expect(await hears(text)).toMatchObject({ via: 'local' });
    expect(home.calls).toEqual([]);
  });

  test('is asked back with a similar room if none has that name', async () => {
    const asked = await hears('Turn on the olive lights.', 'room');

    expect([asked.reply, home.calls]).toEqual(['Did you mean "Turn on the hall lights"?', []]);
  });

  test('is not asked back if it names a room that a house may have', { tags: 'slow' }, async () => {
    const { reply } = await hears('Turn on the loft lights.', 'loft');

    expect(reply).not.toContain('Did you mean');
  });

  test('is taken literally when it was typed', async () => {
    await house.assistant.ask('Set a tumor for five minutes.', { client: 'typed' });

    expect(house.llm.calls.at(-1)?.prompt).toContain('tumor');
  });
});

describe('a typed sentence with one wrong letter', () => {
  const answerSchema = z.object({ reply: z.string(), via: z.string() });
  const types = async (text: string, client: string) =>
    answerSchema.parse((await house.assistant.ask(text, { client })).body);

  test('is asked back, and carried out after a yes', async () => {
    const lights = await types('turn on the kitchn lights', 'slip');
    const before = [...home.calls];
    const done = await types('yes', 'slip');
    const timer = await types('set a timr for five minutes', 'slip');

    expect([lights.reply, before]).toEqual(['Did you mean "turn on the kitchen lights"?', []]);
    expect([done.via, home.stateOf('light.kitchen_ceiling')]).toEqual(['home', 'on']);
    expect(timer.reply).toBe('Did you mean "set a timer for five minutes"?');
    expect(house.llm.calls).toEqual([]);
  });

  test('is answered if it is only a question', async () => {
    expect(await types('filp a coin', 'coin')).toMatchObject({ via: 'skills' });
  });

  test('is not derived from a remark', async () => {
    expect(await types('She has a tumer, the doctor said.', 'remark')).toMatchObject({ via: 'local' });
  });
});

describe('a sentence near a rule', () => {
  test('is asked back in the words of the rule, and carried out after a yes', async () => {
    const asked = await hears('The timer should be running for ten minutes.', 'near');
    const done = await hears('Yes.', 'near');

    expect(asked).toEqual({ reply: 'Shall I set a timer for ten minutes?', via: 'skills' });
    expect(done).toEqual({ reply: 'Timer, ten minutes.', via: 'skills' });
    expect(house.llm.calls).toEqual([]);
  });

  test('is answered if it is only a question', async () => {
    const answer = await hears('What am I meant to buy?');

    expect(answer).toMatchObject({ reply: expect.stringContaining('shopping list'), via: 'skills' });
    expect(house.llm.calls).toEqual([]);
  });
});

describe('a spoken answer that sounds like a word of the question', () => {
  const answered = async (client: string, setup: readonly string[], answer: string) => {
    for (const each of ['Cancel all timers.', 'Yes.']) await house.assistant.ask(each, { client: 'broom' });
    house.llm.calls.length = 0;
    for (const each of setup) await house.assistant.ask(each, { client });
    return (await hears(answer, client)).reply;
  };
  const timers = [
    'Set a pasta timer for ten minutes.',
    'Set a tea timer for five minutes.',
    'Cancel the timer.',
  ];

  test.each([
    ['T.', 'I cancelled the tea timer.'],
    ['Pastor.', 'I cancelled the pasta timer.'],
    ['Elephants.', /^I did not understand that. Which timer/],
    // It sounds like a word of both.
    ['Timber.', /Which timer: the tea timer or the pasta timer\?$/],
  ])('is taken for it: %s', async (words, reply) => {
    expect(await answered(`choice ${words}`, timers, words)).toEqual(
      typeof reply === 'string' ? reply : expect.stringMatching(reply),
    );
    expect(house.llm.calls).toEqual([]);
  });

  test('is no yes', async () => {
    const setup = ['Add milk to the shopping list.', 'Clear the shopping list.'];

    expect(await answered('yes or no', setup, 'Clearer.')).toMatch(/^I did not understand that. Shall I/);
  });

  test('is taken for it, whoever asked', async () => {
    const setup = ['Wake me every weekday at seven.', 'Move my alarm to 6:45.'];

    expect(await answered('alarm', setup, 'The nest one.')).toMatch(/^Alarm, now (today|tomorrow|on Monday)/);
  });
});
