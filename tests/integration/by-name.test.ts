import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import type { SttCall } from '../support/fakes/fake-stt.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold({ env: { LOG_WORDS: 'true' } });
  await change({ follow_up_sound: false });
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterAll(() => home?.stop());

const change = (body: Record<string, unknown>) =>
  home.assistant.call('/admin/pipeline', { method: 'PATCH', body });

const enter = (client: string) => enterRoom(home.assistant.address, { client, room: client, wake: 'name' });

/** A busy machine may deliver the sound of one room later than that of the other; the server cannot know. */
const maxApartMs = 150;

/** Two rooms hear the same person at the same time. Returns the answers in each. */
async function answersOfTwoRooms(triesLeft = 5): Promise<string[][]> {
  const rooms = [await enter(`left-${triesLeft}`), await enter(`right-${triesLeft}`)];
  await Promise.all(rooms.map((room) => room.say('weather')));
  const started = await Promise.all(rooms.map((room) => room.event('input_audio_buffer.speech_started')));
  await Promise.all(rooms.map((room) => room.event('input_audio_buffer.speech_stopped')));
  await delay(3_000);
  await Promise.all(rooms.map((room) => room.leave()));
  const [one, other] = started.map(({ atMs }) => atMs);
  const isTogether = Math.abs((one ?? 0) - (other ?? 0)) <= maxApartMs;
  if (!isTogether && triesLeft > 0) return answersOfTwoRooms(triesLeft - 1);
  return rooms.map(({ events }) =>
    events.flatMap(({ event }) =>
      event.type === 'response.done' && event.status === 'completed' && event.via ? [event.via] : [],
    ),
  );
}

describe('a satellite that listens by name', () => {
  test('answers the rest of the sentence', { tags: 'slow' }, async () => {
    home.stt.hears('Computer, why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const room = await enter('sky');

    await room.say('weather');
    const { transcript, done } = await room.exchange();
    expect([transcript, done.reply]).toEqual(['why is the sky blue?', 'Air scatters blue light.']);
    const { awake, reason } = (await room.event('wake.changed')).event;
    await room.leave();

    expect(home.llm.calls[0]?.question).toBe('why is the sky blue?');
    expect([awake, reason]).toEqual([true, 'answered']);
  });

  test('leaves no trace of sentences without the name', async () => {
    home.stt.hears('The secret word of tonight is parsnip.');
    const room = await enter('television');

    await room.say('weather');
    await room.event('input_audio_buffer.cleared');
    await room.leave();

    const told = JSON.stringify(room.events);
    const kept = (await home.assistant.call('/admin/conversations')).text;
    const log = [...home.assistant.log, ...home.assistant.workers.flatMap((worker) => worker.log)].join('');
    expect([told, kept, log].filter((text) => text.includes('parsnip'))).toEqual([]);
    expect([home.llm.calls, home.llm.warmUps.filter(({ prompt }) => prompt.includes('television'))]).toEqual([
      [],
      [],
    ]);
  });

  test('removes the name, even in other modes', { tags: 'slow' }, async () => {
    home.stt.hears('Computer, what time is it?');
    const room = await enter('polite');

    await room.say('weather');
    const first = await room.exchange();
    await room.event('wake.changed');
    await room.say('weather');
    const second = await room.exchange(1);
    await room.leave();

    expect([first.transcript, second.transcript]).toEqual(['what time is it?', 'what time is it?']);
    expect(second.done.via).toBe('skills');
  });

  test('answers no remark of a television after an answer, but a question and a follow-up', {
    tags: 'slow',
  }, async () => {
    home.stt.hears('Computer, what time is it in Rome?');
    home.llm.answers(() => 'The Romans.');
    const room = await enter('evening');

    await room.say('weather');
    await room.exchange();
    await room.event('wake.changed');
    home.stt.hears('The police are looking for two parsnips.');
    await room.say('weather');
    await room.event('input_audio_buffer.speech_stopped', 1);
    home.stt.hears('And in Oslo.');
    await room.say('weather');
    const followUp = await room.exchange(1, 20_000);
    home.stt.hears('And who built it.');
    await room.say('weather');
    const question = await room.exchange(2, 20_000);
    home.stt.hears('That was the news of tonight.');
    await room.say('weather');
    await room.event('input_audio_buffer.speech_stopped', 4);
    await room.say('weather');
    await room.event('input_audio_buffer.speech_stopped', 5);
    const reasons = room.events.flatMap(({ event }) => (event.type === 'wake.changed' ? [event.reason] : []));
    await room.leave();

    expect([followUp.done.via, question.done.reply]).toEqual(['skills', 'The Romans.']);
    expect(home.llm.calls.map(({ question }) => question.includes('And who built it.'))).toEqual([true]);
    expect(JSON.stringify(room.events)).not.toContain('parsnips');
    expect(reasons.at(-1)).toBe('unmeant');
  });

  test.each([
    ['Computer, what time is it?', 'skills'],
    ['Computer.', 'notice'],
  ])('of two rooms that hear "%s", one answers', { tags: 'slow' }, async (words, via) => {
    home.stt.hears(words);

    const answers = await answersOfTwoRooms();

    expect(answers.toSorted((one, other) => one.length - other.length)).toEqual([[], [via]]);
  });

  test('answers its name alone with a sound, and accepts the next sentence', {
    tags: 'slow',
  }, async () => {
    home.stt.hears('Computer.');
    const room = await enter('alone');

    await room.say('hello');
    const { reason } = (await room.event('wake.changed')).event;
    await room.event('response.done');
    home.stt.hears('What time is it?');
    await room.say('weather');
    const { done } = await room.exchange(1, 20_000);
    await room.leave();

    expect(reason).toBe('called');
    expect(done.via).toBe('skills');
  });

  test.each([
    ['by its sounds', () => 'Stuff.'],
    [
      'by its score',
      ({ form }: SttCall) => ({
        text: "It's time.",
        hearth: { phrases: [{ text: form['phrases[]'] ?? '', avg_logprob: -2.4 }] },
      }),
    ],
  ])(
    'falls silent after a misheard "stop" over its own voice, known %s',
    { tags: 'slow' },
    async (_, heard) => {
      home.stt.hears('Computer, tell me a story.');
      home.llm.answers(() =>
        'Once upon a time there was a house in a wood, and nobody lived in it. '.repeat(6),
      );
      const room = await enter('story');
      await room.say('weather');
      await room.event('response.output_audio.started');

      home.stt.hears(heard);
      await room.say('hello');
      const { done } = await room.exchange();
      const { transcript } = await room.exchange(1);
      await room.leave();

      expect([done.status, done.reason]).toEqual(['cancelled', 'turn_detected']);
      expect(transcript).toBe('stop');
    },
  );

  test("uses the household's name for it", { tags: 'slow' }, async () => {
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { names: ['Okay Nabu'] } });
    home.stt.hears('Okay now boo, what time is it?');
    const room = await enter('nabu');

    await room.say('weather');
    const { transcript } = await room.exchange();
    await room.leave();
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { names: null } });

    expect(transcript).toBe('what time is it?');
  });
});

test("a name is learned in the recognition's spelling", { tags: 'slow' }, async () => {
  const heard = ['Zarbel.', 'Zarbell.', 'Zarbel.', 'Zarbel', 'Zarbell.'];
  const call = home.assistant.call;

  const judged = await call('/admin/names/judgement', {
    method: 'POST',
    body: { name: 'Xanthippe', heard },
  });
  await call('/admin/pipeline', {
    method: 'PATCH',
    body: { names: ['Xanthippe'], name_spellings: ['zarbel', 'zarbell'] },
  });
  home.stt.hears('Zarbel, what time is it?');
  const room = await enter('learned');
  await room.say('weather');
  const { transcript } = await room.exchange();
  await room.leave();
  await call('/admin/pipeline', { method: 'PATCH', body: { names: null, name_spellings: null } });

  expect(judged.body).toEqual({ judgement: 'learned', found: 0, spellings: ['zarbel', 'zarbell'] });
  expect(transcript).toBe('what time is it?');
});

test.each([
  [{ name: 'C', heard: ['see', 'see', 'see'] }],
  [{ name: '🙂🙂', heard: ['a', 'a', 'a'] }],
  [{ name: 'a'.repeat(41), heard: ['a', 'a', 'a'] }],
  [{ name: 'Computer', heard: ['Computer'] }],
  [{ name: 'Computer', heard: Array.from({ length: 11 }, () => 'Computer') }],
])('%j gets no judgement', async (body) => {
  const told = await home.assistant.call('/admin/names/judgement', { method: 'POST', body });

  expect(told.status).toBe(400);
});

test.each([
  [[], 400],
  [['C'], 400],
  [['🙂🙂'], 400],
  [['a'.repeat(41)], 400],
  [['a'.repeat(40)], 200],
  [['Hey Jarvis', 'Büro-Chef'], 200],
])('the names %j are answered with %i', async (names, status) => {
  const told = await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { names } });
  await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { names: null } });

  expect(told.status).toBe(status);
});
