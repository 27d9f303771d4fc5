import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let home: FakeHome;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm, home] = await Promise.all([startRedis(), startFakeLlm(), startFakeHome()]);
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: llm.url,
    env: { ...home.env, HEARTH_LANGUAGE: 'de-AT' },
  });
});
afterAll(async () => {
  await assistant?.stop();
  await home?.stop();
  await llm?.stop();
  await redis?.stop();
});

test('a German assistant answers by its skills, one sentence after the other', async () => {
  const turn = { client: 'tablet', room: 'Küche', conversation: 'tablet' };
  const said = [];
  for (const text of ['Stell einen Nudeltimer auf acht Minuten', 'Lösch ihn wieder', 'Mach das rückgängig'])
    said.push((await assistant.ask(text, turn)).body);

  expect(said).toEqual([
    { reply: 'Nudel-Timer, acht Minuten.', via: 'skills' },
    { reply: 'Gelöscht: Nudel-Timer.', via: 'skills' },
    { reply: 'Wieder da: Nudel-Timer noch acht Minuten.', via: 'skills' },
  ]);
});

test('it does several things that are asked for in one sentence', async () => {
  const said = 'Setz Milch auf die Einkaufsliste und stell einen Timer auf zehn Minuten';

  expect((await assistant.ask(said)).body).toEqual({
    reply: 'Neu auf der Einkaufsliste: Milch. Timer, zehn Minuten.',
    via: 'skills',
  });
});

test('it tells the language model to answer in German', async () => {
  const { body } = await assistant.ask('Warum ist der Himmel blau?');

  expect(body).toMatchObject({ via: 'local' });
  expect(JSON.stringify(llm.calls.at(-1))).toContain('Antworte auf Deutsch');
});

test('it passes a sentence that Home Assistant matches on to it, in German', async () => {
  // The fake one knows English sentences in every language.
  const { body } = await assistant.ask('turn on the kitchen lights');

  expect(body).toMatchObject({ via: 'home' });
  expect(home.stateOf('light.kitchen_counter')).toBe('on');
  expect(home.calls.at(-1)).toMatchObject({ language: 'de', text: 'turn on the kitchen lights' });
});
