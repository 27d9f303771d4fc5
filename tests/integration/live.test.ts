import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clip, enterRoom, soundMs, voiceOf } from '../support/clients/room.ts';
import { says, saysAfter } from '../support/fakes/fake-llm.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold();
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterAll(() => home.stop());

const enter = (client: string) => enterRoom(home.assistant.address, { client, room: client });
const story = Array.from(
  { length: 12 },
  (_, n) => `On day ${n + 1} the king went for a long walk in the woods.`,
);

describe('a person in a room', () => {
  test('asks and is answered aloud', async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const room = await enter('sky');

    await room.say('weather');
    const { transcript, done, sound } = await room.exchange();
    await room.leave();

    expect({ transcript, reply: done.reply, status: done.status, via: done.via }).toEqual({
      transcript: 'Why is the sky blue?',
      reply: 'Air scatters blue light.',
      status: 'completed',
      via: 'local',
    });
    expect(sound.length).toBeGreaterThan(0);
    expect(done.timings).toMatchObject({ end_silence_ms: expect.any(Number), stt_ms: expect.any(Number) });
  });

  test('is answered by a skill at the first pause', async () => {
    home.stt.hears('What time is it?');
    const room = await enter('clock');

    await room.say('weather');
    const { done } = await room.exchange();
    await room.leave();

    expect(done).toMatchObject({ status: 'completed', via: 'skills' });
    expect(home.llm.calls).toEqual([]);
  });

  test('has the prompt processed before the last word, except for the words', async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const room = await enter('early-reader');

    await room.say('weather');
    await room.exchange();
    await room.leave();

    const [read, asked] = [home.llm.warmUps.at(-1), home.llm.calls[0]];
    expect(read?.newest).toMatch(/^\(It is .+, \d\d:\d\d\. Room: early-reader\.\)$/);
    expect(asked?.newest).toContain(' Room: early-reader.) Why is the sky blue?');
    expect(read?.body['id_slot']).toBe(asked?.body['id_slot']);
    expect(read?.body.messages.slice(0, -1)).toEqual(asked?.body.messages.slice(0, -1));
  });

  test('asks twice on one connection, and is remembered', { tags: 'slow' }, async () => {
    home.stt.hears('My name is Kim.');
    const room = await enter('kim');
    await room.say('weather');
    await room.exchange(0);

    home.stt.hears('What is my name?');
    home.llm.answers(({ prompt }) => (prompt.includes('My name is Kim.') ? 'Kim.' : 'I do not know.'));
    await room.say('hello');
    const { done } = await room.exchange(1);
    await room.leave();

    expect(done.reply).toBe('Kim.');
  });

  test('hears the first sentence while the model still writes', { tags: 'slow' }, async () => {
    home.stt.hears('Tell me a story.');
    home.llm.answers(() => says(story.slice(0, 4).join(' '), { intervalMs: 40 }));
    const room = await enter('early');

    await room.say('weather');
    await room.event('response.output_audio.started');
    const writing = home.llm.busy;
    const { done } = await room.exchange(0, 20_000);
    await room.leave();

    expect(writing).toBe(1);
    expect(done.reply).toBe(story.slice(0, 4).join(' '));
  });

  test('interrupts a story, which stops, and the conversation keeps the position', {
    tags: 'slow',
  }, async () => {
    home.stt.hears('I would like to hear a story.');
    home.llm.answers(() => says(story.join(' ')));
    const room = await enter('story');
    await room.say('weather');
    await room.event('response.output_audio.started');

    home.stt.hears('What did the king do?');
    home.llm.answers(() => 'He walked.');
    await room.say('weather');
    const { done } = await room.exchange(0);
    const next = await room.exchange(1);
    await room.leave();

    expect(done).toMatchObject({ status: 'cancelled', reason: 'turn_detected' });
    expect(next.done.reply).toBe('He walked.');
    const prompt = home.llm.callsFor('What did the king do?').at(-1)?.prompt ?? '';
    expect(prompt).toContain('I would like to hear a story.');
    expect(prompt).not.toContain(story.at(-1));
  });

  test.each([
    ['Elephants.', 'I did not understand that. Which timer: the tea timer or the pasta timer?'],
    ['What?', 'Which timer: the tea timer or the pasta timer?'],
    ['The tea timer.', 'I cancelled the tea timer.'],
  ])('answers a question before its end: %s', async (words, reply) => {
    const client = `question ${words}`;
    for (const each of ['Cancel all timers.', 'Yes.', 'Set a tea timer for 10 minutes.'])
      await home.assistant.ask(each, { client });
    await home.assistant.ask('Set a pasta timer for 20 minutes.', { client });
    const room = await enter(client);
    home.stt.hears('Cancel the timer.');
    await room.say('weather');
    await room.event('response.output_audio.started');

    home.stt.hears(words);
    await room.say('hello');
    const { done } = await room.exchange(0);
    const next = await room.exchange(1);
    await room.leave();

    expect(done.status).toBe('cancelled');
    expect(next.done.reply).toBe(reply);
  });

  test('continues after an answer, which is withdrawn', async () => {
    const [first, whole] = ['Add milk to my shopping list.', 'Add milk and eggs to my shopping list.'];
    const room = await enter('rest');
    home.stt.hears(first);
    await room.say('weather');
    const { done } = await room.exchange(0);

    const bothMs = (clip('weather').samples.length + clip('hello').samples.length) / 32;
    home.stt.hears(({ sound }) =>
      sound !== null && sound.samples.length / 32 > 0.8 * bothMs ? whole : 'And eggs.',
    );
    await room.say('hello');
    const next = await room.exchange(1);
    await room.leave();

    const { body } = await home.assistant.call('/admin/lists');
    const kept = await home.assistant.call('/admin/conversations/rest');
    expect([done.status, done.reply]).toEqual(['completed', 'I added milk to the shopping list.']);
    expect([next.transcript, next.done.reply]).toEqual([
      whole,
      'I added milk and eggs to the shopping list.',
    ]);
    expect(body).toMatchObject({
      lists: [{ items: [{ text: 'milk' }, { text: 'eggs' }] }],
    });
    expect(JSON.stringify(kept.body)).toContain(whole);
    expect(JSON.stringify(kept.body)).not.toContain(first);
  });

  test('hears that the answer takes longer', { tags: 'slow' }, async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => saysAfter(4_000, 'Air.'));
    const room = await enter('slow');

    await room.say('weather');
    const started = await room.event('response.output_audio.started');
    const created = await room.event('response.created');
    const { done } = await room.exchange();
    await room.leave();

    expect(started.atMs - created.atMs).toBeGreaterThan(2_400);
    expect(done.reply).toBe('Air.');
  });

  test('gets no answer to mere noise', async () => {
    home.stt.hears(null);
    const room = await enter('noise');

    await room.say('hello');
    const { event } = await room.event('input_audio_buffer.cleared');
    await room.leave();

    expect(event.turn_id).not.toBeNull();
    expect(room.events.map((each) => each.event.type)).not.toContain('response.created');
    expect(home.llm.calls).toEqual([]);
  });
});

// Slow: beside other tests, a claim may come after its limit, and then both satellites answer.
test('two satellites that hear one person give one answer', { tags: 'slow' }, async () => {
  home.stt.hears('Why is the sky blue?');
  home.llm.answers(() => 'Air.');
  const near = await enterRoom(home.assistant.address, { client: 'near', room: 'kitchen' });
  const far = await enterRoom(home.assistant.address, { client: 'far', room: 'kitchen' });

  await Promise.all([near.say('weather'), far.say('weather')]);
  const answered = await Promise.race([near.exchange(), far.exchange()]);
  await Promise.race([near.event('input_audio_buffer.cleared'), far.event('input_audio_buffer.cleared')]);
  const all = [...near.events, ...far.events].map(({ event }) => event.type);
  await Promise.all([near.leave(), far.leave()]);

  expect(answered.done.reply).toBe('Air.');
  expect(all.filter((type) => type === 'response.created')).toHaveLength(1);
});

test('the server sends speech at a limited pace, for an answer of any length', { tags: 'slow' }, async () => {
  home.stt.hears('Tell me a story.');
  home.llm.answers(() => story.slice(0, 6).join(' '));
  const room = await enter('pace');

  await room.say('weather');
  const { soundAtMs, sound } = await room.exchange(0, 30_000);
  await room.leave();

  const [firstAtMs = 0] = soundAtMs;
  const lastAtMs = soundAtMs.at(-1) ?? 0;
  expect(sound.length / 32).toBe(soundMs(room));
  expect(lastAtMs - firstAtMs).toBeGreaterThan(sound.length / 32 - 2_300);
});
