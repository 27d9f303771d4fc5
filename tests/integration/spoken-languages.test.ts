import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createSay } from '../../api/src/language/phrases.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { enterRoom } from '../support/clients/room.ts';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const english = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });

describe('a household that speaks German', () => {
  let house: VoiceHousehold;
  beforeAll(async () => {
    house = await startVoiceHousehold({ env: { HEARTH_LANGUAGE: 'de-AT' } });
  });
  beforeEach(() => house.forget());
  afterAll(() => house?.stop());

  test('is heard in German', async () => {
    const { body } = await house.say('Stell einen Timer auf acht Minuten.');

    expect(body).toMatchObject({ reply: 'Timer, acht Minuten.', via: 'skills' });
    expect(house.stt.calls.map(({ form }) => form['language'])).toEqual(['de']);
  });

  test('has German as the setting, from its environment', async () => {
    const { body } = await house.assistant.call('/admin/pipeline');

    expect(body).toMatchObject({ values: { language: 'de' }, sources: { language: 'environment' } });
  });
});

describe('a household that speaks German and English', () => {
  let house: VoiceHousehold;
  let home: FakeHome;
  beforeAll(async () => {
    home = await startFakeHome();
    house = await startVoiceHousehold({ env: { ...home.env, HEARTH_LANGUAGE: 'de, en-GB' } });
  });
  beforeEach(() => house.forget());
  afterAll(async () => {
    await house?.stop();
    await home?.stop();
  });
  const ask = async (text: string, language?: string) => {
    const { body } = await house.assistant.ask(text, { client: 'tablet', ...(language && { language }) });
    return body;
  };

  test('answers a request in the language that it names, or in the first', async () => {
    expect(await ask('Set an alarm for 7 am tomorrow.', 'en-US')).toMatchObject({
      reply: expect.stringContaining('Alarm'),
      via: 'skills',
    });
    expect(await ask('Welche Wecker habe ich?')).toMatchObject({
      reply: expect.stringContaining('Wecker'),
      via: 'skills',
    });
  });

  test('changes and takes back in one language what another has set', async () => {
    expect(await ask('Stell einen Nudeltimer auf acht Minuten')).toMatchObject({
      reply: 'Nudel-Timer, acht Minuten.',
    });
    expect(await ask('Change the timer to ten minutes', 'en')).toMatchObject({
      reply: expect.stringContaining('ten minutes'),
      via: 'skills',
    });
    expect(await ask('Setz Milch auf die Einkaufsliste', 'de')).toMatchObject({ via: 'skills' });
    expect(await ask('Undo that', 'en')).toMatchObject({
      reply: expect.stringContaining('Milch'),
      via: 'skills',
    });
  });

  test('changes an alarm in one language, and tells it in the other, sentence by sentence', async () => {
    const said = [
      ['Weck mich morgen um sieben', 'de', 'um 7:00 Uhr'],
      ['Change my alarm to 8 am', 'en', 'at 8 AM'],
      ['Wann klingelt mein Wecker?', 'de', 'um 8:00 Uhr'],
      ['Cancel my alarm', 'en', 'I cancelled the 8 AM alarm.'],
      ['Mach das rückgängig', 'de', 'um 8:00 Uhr'],
    ] as const;
    await ask('Cancel all alarms.', 'en');
    const replies: unknown[] = [];
    for (const [text, language] of said) replies.push(await ask(text, language));

    expect(replies).toEqual(
      said.map(([, , reply]) => ({ reply: expect.stringContaining(reply), via: 'skills' })),
    );
  });

  test('tells the language model to answer in it', async () => {
    await ask('Why is the sky blue?', 'en');
    expect(JSON.stringify(house.llm.calls.at(-1))).not.toContain('Antworte auf Deutsch');

    await ask('Warum ist der Himmel blau?', 'de');
    expect(JSON.stringify(house.llm.calls.at(-1))).toContain('Antworte auf Deutsch');
  });

  test('is told which of its languages the models do not know', async () => {
    house.stt.knows(['en']);
    const warnings = await waitFor(async () => {
      const { warnings: told } = await house.assistant.health();
      return told.length > 1 && told;
    });

    expect(warnings.map(({ name, message }) => [name, message])).toEqual([
      ['recognition_language', 'The speech recognition (whisper) does not know German.'],
      ['voice_language', 'No voice speaks German, so espeak-ng does, which sounds mechanical.'],
    ]);
  });

  test('asks Home Assistant in it', async () => {
    await ask('turn on the kitchen lights', 'en');
    expect(home.calls.at(-1)).toMatchObject({ language: 'en' });

    await ask('turn on the kitchen lights', 'de');
    expect(home.calls.at(-1)).toMatchObject({ language: 'de' });
  });

  test('connects to Home Assistant once for all languages, and lists its things whatever the first is', async () => {
    await ask('turn on the kitchen lights', 'en');
    await ask('Schalte das Licht in der Küche ein', 'de');
    const { body } = await house.assistant.call('/admin/home-assistant/things');

    expect(home.listenerCount).toBe(1);
    expect(JSON.stringify(body)).toContain('Kitchen ceiling');
  });

  test('runs a later command in the language in which it was given', async () => {
    const before = home.calls.length;

    const planned = await ask('Turn off the kitchen lights in two seconds', 'en');
    await waitFor(() => home.calls.length > before, { what: 'the command is carried out' });

    expect(planned).toMatchObject({ reply: 'All right: Turn off the kitchen lights, in two seconds.' });
    expect(home.calls.at(-1)).toMatchObject({ language: 'en' });
  });

  test('hears a recording in the language that it names', async () => {
    await house.say('Good evening.', { language: 'en' });
    await house.say('Guten Abend.');

    expect(house.stt.calls.map(({ form }) => form['language'])).toEqual(['en', 'de']);
  });

  test("speaks a program's text in the language that it names, or in the first", async () => {
    const speak = (body: object) =>
      house.assistant.call('/v1/audio/speech', { body: { ...body, response_format: 'pcm' } });

    const english = await speak({ input: 'It is 21 °C.', language: 'en-US' });
    const german = await speak({ input: 'Es sind 21 °C.' });

    expect([english.status, german.status]).toEqual([200, 200]);
    expect(house.piper.spoken.map(({ text }) => text)).toEqual(['It is 21 degrees Celsius.']);
    // Some clients always name a language.
    expect((await speak({ input: 'Bonjour.', language: 'fr' })).status).toBe(200);
  });

  test('speaks the language that a satellite names with its connection', async () => {
    house.stt.hears('Set an alarm for 7 am tomorrow.');
    const room = await enterRoom(house.assistant.address, { client: 'cellar', language: 'en-US' });

    await room.say('weather');
    const { done } = await room.exchange();
    await room.leave();

    expect((await room.event('session.created')).event.session).toMatchObject({ language: 'en' });
    expect(done.reply).toContain('Alarm');
    expect(new Set(house.stt.calls.map(({ form }) => form['language']))).toEqual(new Set(['en']));
  });

  test('speaks the language that the household has set for a satellite, from then on', async () => {
    const set = (language: string | null) =>
      house.assistant.call('/admin/satellites/bedroom', { method: 'PATCH', body: { language } });
    const room = await enterRoom(house.assistant.address, { client: 'bedroom', language: 'de' });
    await waitFor(async () => (await set('en')).status === 200);
    expect((await room.event('session.updated')).event.session).toMatchObject({ language: 'en' });
    house.stt.hears('Welche Timer laufen?');
    expect((await set('fr')).status).toBe(400);

    await room.say('weather');
    await room.exchange(0);
    await set(null);
    expect((await room.event('session.updated', 1)).event.session).toMatchObject({ language: 'de' });
    house.forget();
    house.stt.hears('Welche Timer laufen?');
    await room.say('weather');
    const { done } = await room.exchange(1);
    await room.leave();

    expect(done).toMatchObject({ via: 'skills', reply: expect.stringContaining('Timer') });
    expect(new Set(house.stt.calls.map(({ form }) => form['language']))).toEqual(new Set(['de']));
  });

  test('says a failure in the language of the room', async () => {
    house.llm.answers(() => '');
    house.stt.hears('Why is the sky blue?');
    const room = await enterRoom(house.assistant.address, { client: 'attic', language: 'en' });

    await room.say('weather');
    const { done } = await room.exchange();
    await room.leave();

    expect(done).toMatchObject({ status: 'failed', reason: 'llm_bad_answer' });
    expect(createSay(english.phrases).failure('llm_bad_answer')).toBe(done.reply);
  });

  test('rings a timer in the language of the room, whoever has set it', async () => {
    const room = await connectListen(house.assistant.address, {
      client: 'cellar',
      room: 'cellar',
      language: 'en',
    });
    await house.assistant.ask('Stell einen Timer auf eine Sekunde', { room: 'cellar' });

    const { done } = await room.exchange(0, 20_000);
    await ask('Stopp', 'de');
    await room.close();

    expect(done).toMatchObject({ reply: 'Your timer is done.', via: 'timer' });
    expect(house.piper.texts).toContain('Your timer is done.');
  });

  test.each([
    ['de', 'Durchsage an alle: Das Essen ist fertig', 0],
    ['en', 'Announce that dinner is ready', 1],
  ])('announces in the language of the speaker: %s', async (language, text, byEnglishVoice) => {
    const room = await connectListen(house.assistant.address, {
      client: 'hall',
      room: 'hall',
      language: language === 'de' ? 'en' : 'de',
    });
    await ask(text, language);
    const { done } = await room.exchange(0, 20_000);
    await room.close();

    expect(done).toMatchObject({ status: 'completed', via: 'announcement' });
    expect(house.piper.texts.filter((said) => said === done.reply)).toHaveLength(byEnglishVoice);
  });

  test('refuses a satellite with a language that it does not speak', async () => {
    const satellite = await connectListen(house.assistant.address, { client: 'hall', language: 'fr' });

    expect(await satellite.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('de, en') });
  });

  test.each(['fr', 'xx', 'English', '../de'])('refuses the language "%s"', async (language) => {
    const { status, body } = await house.assistant.ask('Hallo.', { language });

    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { code: 'invalid_request', param: 'language', message: expect.stringContaining('de, en') },
    });
  });
});
