import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('a spoken sentence with one word that was heard wrong', () => {
  test.each([
    ['How many grants are in three ounces?', '3 ounces is about 85 grams.'],
    ['Set a tumor for five minutes.', 'Timer, five minutes.'],
    ['Add oats to the shopping least.', 'I added oats to the shopping list.'],
  ])('is answered as it was meant: %s', async (text, reply) => {
    expect(await hears(text)).toEqual({ reply, via: 'skills' });
    expect(house.llm.calls).toEqual([]);
  });

  test('is asked back where it is for the house, and done after a yes', async () => {
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
  ])('is not made of a remark or a question: %s', async (text) => {
    expect(await hears(text)).toMatchObject({ via: 'local' });
    expect(home.calls).toEqual([]);
  });

  test('is taken at its word when it was typed', async () => {
    await house.assistant.ask('Set a tumor for five minutes.', { client: 'typed' });

    expect(house.llm.calls.at(-1)?.prompt).toContain('tumor');
  });
});
