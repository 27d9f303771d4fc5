import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCommunitySkills } from '../../api/src/respond/community/community-skills.ts';
import { createSpeakable } from '../../api/src/speech-text/speakable.ts';
import { communitySkills } from '../support/community/community-skills.ts';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type Asked, answered, now, question } from '../support/skills.ts';

const models = join(import.meta.dirname, '../support/community/models');

let server: OwnRedis;
let redis: Redis;
let polish: ReturnType<typeof communitySkills>;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  polish = communitySkills('pl', join(models, 'sentences'), redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const say = (text: string, turn: Asked = {}) => answered(polish.responder, text, { createdAt: now, ...turn });
const labels = async () => (await polish.timers.all()).map(({ label, durationMs }) => [label, durationMs]);

describe('in a language of the community', () => {
  test('sets a timer, names its duration, and counts in all forms', async () => {
    expect(await say('Włącz timer pizza na 5 minut')).toBe('Minutnik działa. pizza: 5 minut.');
    expect(await say('minutnik na pół godziny')).toBe('Minutnik działa. 30 minut.');
    expect(await say('timer na dwadzieścia jeden minut')).toBe('Minutnik działa. 21 minut.');
    expect(await labels()).toEqual([
      ['pizza', 300_000],
      [null, 1_260_000],
      [null, 1_800_000],
    ]);
  });

  test('a timer is changed, paused and resumed, and only the one that is meant', async () => {
    await say('timer pizza na 5 minut');
    await say('timer na 1 godzinę');

    expect(await say('dodaj 2 minuty do timera pizza')).toBe('Gotowe. pizza: 7 minut.');
    expect(await say('odejmij 1 godzinę od timera pizza')).toBe('Nie mogę tego teraz zrobić.');
    expect(await say('zatrzymaj timer')).toBe('Jest kilka minutników');
    expect(await say('wyłącz timer pizza')).toBe('Minutnik wyłączony.');
    expect(await say('zatrzymaj timer')).toBe('Czeka. 1 godzina.');
    expect(await say('zatrzymaj timer')).toBe('Nie mogę tego teraz zrobić.');
    expect(await say('wznów timer')).toBe('Gotowe. 1 godzina.');
    expect(await say('ile zostało')).toBe('1 godzina.');
  });

  test('a program that cannot ring hears that no device can', async () => {
    const alone = communitySkills('pl', join(models, 'sentences'), redis, async () => false);
    const set = (source: 'chat' | 'ask') =>
      answered(alone.responder, 'timer na 5 minut', { createdAt: now, source });

    expect(await set('chat')).toBe(
      'Minutnik działa. 5 minut. Ale teraz żadne urządzenie nie może zadzwonić.',
    );
    expect(await set('ask')).toBe('Minutnik działa. 5 minut.');
  });

  test('a timer of another room is found by its room', async () => {
    await say('timer na 5 minut', { room: 'kuchni' });
    await say('timer na 6 minut', { room: 'salon' });

    expect(await say('wyłącz timer w kuchni')).toBe('Minutnik wyłączony.');
    expect(await labels()).toEqual([[null, 360_000]]);
  });

  test('nothing is confirmed that was not done', async () => {
    expect(await say('wyłącz timer')).toBe('Nie ma takiego minutnika');
    expect(await say('wyłącz wszystkie timery')).toBe('Nie ma takiego minutnika');
    expect(await say('mamy już chleb')).toBe('Tego nie ma na liście.');
    expect(await say('ogłoś obiad')).toBe('Nie mogę tego teraz zrobić.');
  });

  test('all timers are cancelled with their number', async () => {
    await say('timer na 5 minut');
    await say('timer na 6 minut');

    expect(await say('Proszę wyłącz wszystkie timery!')).toBe('Razem: 2.');
    expect(await labels()).toEqual([]);
  });

  test('things go on the shopping list and off it', async () => {
    expect(await say('kup Oat-Milk')).toBe('Na liście: Oat-Milk');
    expect(await polish.lists.read('zakupy')).toEqual([{ key: 'oat milk', text: 'Oat-Milk' }]);
    expect(await say('mamy już oat milk')).toBe('Gotowe.');
    expect(await polish.lists.read('zakupy')).toEqual([]);
  });

  test('leaves an unknown list to the house', async () => {
    expect(await say('dodaj chleb do listy goście')).toBeNull();
    await say('kup mleko');
    expect(await say('dodaj chleb do listy zakupy')).toBe('Gotowe.');
  });

  test.each([
    ['Która jest godzina?', '15:20'],
    ['jaki dzisiaj dzień', 'sobota, 21 listopada 2026'],
    ['nieważne', 'Dobrze.'],
  ])('"%s" is answered', async (text, reply) => {
    expect(await say(text)).toBe(reply);
  });

  test.each([
    'włącz światło',
    'zgaś światło za 5 minut',
    'opowiedz mi o minutniku na 5 minut',
    'dlaczego niebo jest niebieskie',
    '⏲️',
    'cześć',
    'שעון עצר ל-5 דקות',
  ])('"%s" is no sentence of ours', async (text) => {
    expect(await say(text)).toBeNull();
    expect(await labels()).toEqual([]);
  });

  test.each(['timer na 5 minut', 'kup mleko'])('"%s" is undone when the person continues', async (text) => {
    const asked = question(text, { createdAt: now });
    await polish.responder.respond(asked);

    await polish.undoTurn(asked.turn, asked.signal);

    expect([await polish.timers.all(), await polish.lists.read('zakupy')]).toEqual([[], []]);
  });

  test('a sentence of 2,000 letters sets nothing', async () => {
    expect(await say('timer na 5 minut '.repeat(118))).toBe('Nie mogę tego teraz zrobić.');
    expect(await labels()).toEqual([]);
  });

  test('sentences that take too much are left out', async () => {
    const { data, words } = polish.community;
    const own = { ...words.own, unbound: ['HassBroadcast', 'HassNevermind'] };
    const narrow = createCommunitySkills({
      ...polish.options,
      community: { data, words: { ...words, own }, routines: '' },
    });

    expect(Object.keys(narrow.lastSkills[0]?.intents ?? {})).toEqual([]);
    expect(narrow.skills.flatMap(({ intents }) => Object.keys(intents))).not.toContain(
      'HassNevermind.default',
    );
  });

  test.each([
    ['Jest -5 °C, 50% i 3 km/h.', 'Jest minus 5 stopni Celsjusza, 50 procent i 3 kilometrów na godzinę.'],
    ['Minutnik działa. pizza: 5 minut.', 'Minutnik działa. pizza: 5 minut.'],
    ['מחר 20%', 'מחר 20 procent'],
  ])('"%s" is read aloud in full', (text, said) => {
    expect(createSpeakable(polish.language.speaking)(text)).toBe(said);
  });

  test('failures, the ringing and the prompt are in this language', () => {
    const { phrases, prompt } = polish.language;

    expect(phrases.failures.internal).toEqual(['Coś się nie udało']);
    expect(phrases.not_caught).toEqual(['Nie rozumiem']);
    expect(phrases.timers.now.timer_named).toEqual(['Czas minął: {label}.']);
    expect(prompt.instructions.always.join(' ')).toContain('Answer in Polish,');
  });
});

describe('Hearth in a language of the community', () => {
  let llm: FakeLlm;
  let home: FakeHome;
  let assistant: Assistant;

  beforeAll(async () => {
    [llm, home] = await Promise.all([startFakeLlm(), startFakeHome()]);
    const env = { ...home.env, HEARTH_LANGUAGE: 'PL', MODELS_DIR: models };
    assistant = await startAssistant({ redisUrl: server.url, llmUrl: llm.url, env });
  });
  afterAll(async () => {
    await assistant?.stop();
    await home?.stop();
    await llm?.stop();
  });

  const ask = async (text: string) => (await assistant.ask(text)).body;

  test('sets a timer by its skills', async () => {
    expect(await ask('Włącz timer herbata na 5 minut')).toEqual({
      reply: 'Minutnik działa. herbata: 5 minut.',
      via: 'skills',
    });
  });

  test('tells the language model to answer in it, and gives it no tools', async () => {
    expect(await ask('Dlaczego niebo jest niebieskie?')).toMatchObject({ via: 'local' });
    expect(JSON.stringify(llm.calls.at(-1))).toContain('Answer in Polish');
    expect(llm.calls.at(-1)).not.toHaveProperty('tools');
  });

  test('leaves the house to Home Assistant, in this language', async () => {
    // The fake one knows English sentences in every language.
    expect(await ask('turn on the kitchen lights')).toMatchObject({ via: 'home' });
    expect(home.stateOf('light.kitchen_counter')).toBe('on');
    expect(home.calls.at(-1)).toMatchObject({ language: 'pl' });

    expect(await ask('turn on the garage lamp')).toEqual({ via: 'home', reply: 'Nie wiem, czy się udało.' });
  });
});
