import { describe, expect, test } from 'vitest';
import { judged, openLiveSession } from '../../support/live-session.ts';

const judge = (transcript: string) => judged({ isLast: /^thank you/i.test(transcript) });
const openByName = (settings: { followUpSound?: boolean } = {}) =>
  openLiveSession({ wake: 'name', judge, settings: { partialsEveryMs: 300, ...settings } });
type Live = Awaited<ReturnType<typeof openByName>>;

/** Says something and waits for the end of its answer. */
async function talk(live: Live, transcript: string, reply: string): Promise<void> {
  const turn = await live.ask(transcript);
  turn.says(reply, 500);
  turn.ends('skills');
  await live.silence(1_000);
}

const wakes = (live: Live) =>
  live.of('wake.changed').map(({ awake, reason, for_ms }) => [awake, reason, for_ms]);

describe('a satellite that listens by name', () => {
  test('reports its mode, and checks each sentence for the name', async () => {
    const live = await openByName();

    await live.speak(960);
    await live.silence(256);

    expect(live.of('session.created')).toMatchObject([{ session: { wake: 'name' } }]);
    expect(live.turnClient.turn(0).asked.nameRule).toBe('needed');
  });

  test('reports the names people can say, and each change of them', async () => {
    const settings = { names: ['Computer', 'Marvin'], nameSpellings: ['Marvyn'] };
    const live = await openLiveSession({ wake: 'name', judge, settings });

    await live.silence(11_000);
    settings.names = ['Jarvis'];
    await live.silence(11_000);

    expect(live.of('session.created')).toMatchObject([{ session: { names: ['Computer', 'Marvin'] } }]);
    expect(live.of('session.updated')).toMatchObject([{ session: { names: ['Jarvis'] } }]);
  });

  test('leaves no trace of a sentence without the name', async () => {
    const live = await openByName();

    await live.ask('');
    await live.silence(1_000);

    expect(live.types()).toEqual([
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.cleared',
    ]);
    expect(live.turnClient.turn(0).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect([live.turnClient.preloaded, live.turnClient.partials]).toEqual([[], []]);
  });

  test('waits for the words, however long the recognition takes', async () => {
    const live = await openByName();

    await live.speak(960);
    await live.silence(3_000);
    const before = live.types();
    live.turnClient.turn(-1).hears('What time is it?');
    await live.silence(100);

    expect(before.at(-1)).toBe('input_audio_buffer.speech_stopped');
    expect(live.types()).toContain('response.created');
  });

  test('answers the rest of the sentence, and needs no name for a while', async () => {
    const live = await openByName();

    await talk(live, 'What time is it?', 'It is ten.');
    await live.silence(5_000);
    await talk(live, 'And in Tokyo?', 'It is seven.');

    expect(live.turnClient.turns.map(({ asked }) => asked.nameRule)).toEqual(['needed', 'request']);
    expect(wakes(live)).toEqual([
      [true, 'answered', 7_000],
      [true, 'answered', 7_000],
    ]);
    expect(live.faults).toEqual([]);
  });

  test('needs the name again after that time, measured at the start of speech', async () => {
    const live = await openByName();
    await talk(live, 'What time is it?', 'It is ten.');

    await live.silence(6_000);
    const inTime = await live.ask('And in Tokyo?', { speechMs: 2_000 });
    inTime.says('It is seven.', 500);
    inTime.ends('skills');
    await live.silence(9_000);
    await live.speak(960);
    await live.silence(256);

    expect(live.turnClient.turns.map(({ asked }) => asked.nameRule)).toEqual(['needed', 'request', 'needed']);
    expect(wakes(live).at(-1)).toEqual([false, 'time', null]);
  });

  test('waits longer after its own question, from the real end of playback', async () => {
    const live = await openByName();

    await talk(live, 'Set a timer.', 'For how long?');
    await live.take({
      type: 'playback.finished',
      turn_id: live.of('response.done')[0]?.turn_id ?? '',
      played_ms: 500,
    });
    await live.silence(11_500);
    await live.speak(960);
    await live.silence(256);

    expect(wakes(live)).toEqual([
      [true, 'asked', 12_000],
      [true, 'asked', 12_000],
    ]);
    expect(live.turnClient.turn(-1).asked.nameRule).toBe('not_needed');
  });

  test.each([
    ['ended', 'Thank you.'],
    ['cancelled', 'Tell me a story.'],
  ])('needs the name at once when the conversation is %s', async (how, sentence) => {
    const live = await openByName();
    await talk(live, 'What time is it?', 'It is ten.');

    const turn = await live.ask(sentence);
    turn.says('You are welcome.', 2_000);
    await live.silence(500);
    if (how === 'cancelled') await live.take({ type: 'response.cancel', turn_id: turn.asked.id });
    turn.ends('skills');
    await live.silence(3_000);
    await live.speak(960);
    await live.silence(256);

    expect(live.turnClient.turn(-1).asked.nameRule).toBe('needed');
  });

  test('is not kept awake by a television', async () => {
    const live = await openByName();

    await talk(live, 'What time is it?', 'It is ten.');
    for (const sentence of ['And now sports.', 'It rains.', 'Buy this.', 'Good night.'])
      await talk(live, sentence, 'I see.');
    await live.speak(960);
    await live.silence(256);

    expect(live.turnClient.turn(-1).asked.nameRule).toBe('needed');
    expect(wakes(live).at(-1)).toEqual([false, 'unnamed', null]);
  });

  test('answers no remark after an answer, and closes after two', async () => {
    const live = await openByName();
    await talk(live, 'What time is it?', 'It is ten.');

    for (let time = 0; time < 2; time += 1) {
      await live.ask('', { speechMs: 1_600 });
      await live.silence(500);
    }
    await live.speak(960);
    await live.silence(256);

    expect(live.turnClient.turns.map(({ asked }) => asked.nameRule)).toEqual([
      'needed',
      'request',
      'request',
      'needed',
    ]);
    expect(live.of('response.done')).toHaveLength(1);
    expect(live.of('conversation.item.input_audio_transcription.completed')).toHaveLength(1);
    expect(live.sounds.filter(({ turnId }) => turnId !== live.turnClient.turn(0).asked.id)).toEqual([]);
    expect(wakes(live).at(-1)).toEqual([false, 'unmeant', null]);
    expect(live.faults).toEqual([]);
  });

  test('ends silently for a remark whose words come late', async () => {
    const live = await openByName();
    await talk(live, 'What time is it?', 'It is ten.');

    await live.speak(1_600);
    await live.silence(1_500);
    live.turnClient.turn(-1).hears('');
    await live.silence(500);

    expect(live.of('response.done')[1]).toMatchObject({ status: 'cancelled', reason: 'nothing_heard' });
    expect(live.faults).toEqual([]);
  });

  test('accepts any words after its own question, and after its name', async () => {
    const live = await openByName();

    await talk(live, 'Set a timer.', 'For how long?');
    const reply = await live.ask('Half an hour, I think.');

    expect(reply.asked.nameRule).toBe('not_needed');
  });

  test('plays a short sound after an answer, when people may go on', async () => {
    const live = await openByName({ followUpSound: true });

    await talk(live, 'What time is it?', 'It is ten.');
    const [answer, sound] = live.of('response.done');
    const next = await live.ask('And in Tokyo?');

    expect([answer?.via, sound?.via, sound?.reply]).toEqual(['skills', 'notice', '']);
    expect(next.asked.nameRule).toBe('request');
    expect(wakes(live)).toEqual([[true, 'answered', 7_000]]);
    expect(live.faults).toEqual([]);
  });

  test.each([
    ['the conversation is over', 'Thank you.', 0],
    ['someone speaks at once', 'What time is it?', 960],
  ])('plays no such sound if %s', async (_what, sentence, speechMs) => {
    const live = await openByName({ followUpSound: true });

    const turn = await live.ask(sentence);
    turn.says('You are welcome.', 500);
    turn.ends('skills');
    while (live.of('response.done').length === 0) await live.silence(32);
    await live.speak(speechMs);
    await live.silence(400);

    expect(live.of('response.done')).toHaveLength(1);
  });

  test('stays awake for a person who says its name each time', async () => {
    const live = await openByName();

    for (let time = 0; time < 6; time += 1) {
      await live.speak(960);
      await live.silence(256);
      const turn = live.turnClient.turn(-1);
      turn.hears('What time is it?', { isNamed: true });
      await live.silence(416);
      turn.says('It is ten.', 500);
      turn.ends('skills');
      await live.silence(1_000);
    }

    expect(live.of('response.done').length).toBe(6);
    expect(wakes(live).at(-1)).toEqual([true, 'answered', 7_000]);
  });

  test('answers its name alone with a sound, and then needs no name', async () => {
    const live = await openByName();

    await live.speak(640);
    await live.silence(256);
    live.turnClient.turn(0).hears('', { isNamed: true });
    await live.silence(1_500);
    await live.speak(960);
    await live.silence(256);

    expect(wakes(live)).toEqual([[true, 'called', 7_000]]);
    expect(live.sounds.length).toBeGreaterThan(0);
    expect(live.turnClient.turn(-1).asked.nameRule).toBe('not_needed');
    expect(live.faults).toEqual([]);
  });

  test('hears its name alone while it waits, however late the words come', async () => {
    const live = await openByName();
    await talk(live, 'What time is it?', 'It is ten.');

    await live.speak(640);
    await live.silence(1_500);
    live.turnClient.turn(-1).hears('', { isNamed: true });
    await live.silence(500);

    expect(live.of('response.done')[1]).toMatchObject({ status: 'cancelled', reason: 'nothing_heard' });
    expect(wakes(live).at(-1)).toEqual([true, 'called', 7_000]);
    expect(live.faults).toEqual([]);
  });

  test('is interrupted only by sentences for it', async () => {
    const live = await openByName();
    const story = await live.ask('Tell me a story.');
    story.says('Once upon a time there was a small house.', 8_000);
    await live.silence(500);

    await live.ask('');
    await live.silence(500);
    const before = live.of('response.done').length;
    const conditions = live.turnClient.turns.map(({ asked }) => asked.nameRule);
    const next = await live.ask('Stop.');
    next.ends('skills');
    await live.silence(500);

    expect(before).toBe(0);
    expect(conditions).toEqual(['needed', 'needed_or_stop']);
    expect(live.of('response.done')[0]).toMatchObject({ status: 'cancelled', reason: 'turn_detected' });
  });

  test('reports once that it cannot hear, not at every sentence', async () => {
    const live = await openByName();

    for (let time = 0; time < 3; time += 1) {
      await live.speak(960);
      await live.silence(256);
      live.turnClient.turn(-1).fails('stt_unavailable');
      await live.silence(4_000);
    }

    expect(live.of('error').map(({ error }) => error.code)).toEqual(['stt_unavailable']);
  });

  test('needs no name to hear an unanswered request again', async () => {
    const live = await openByName();

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('What time is it?');
    live.turnClient.turn(0).fails('llm_unavailable');
    await live.silence(3_000);
    await live.speak(960);
    await live.silence(256);

    expect(live.of('response.done')).toMatchObject([{ status: 'failed' }]);
    expect(live.turnClient.turn(-1).asked.nameRule).toBe('not_needed');
  });

  test('answers everything after a button press', async () => {
    const live = await openLiveSession({ wake: 'name', endpointing: 'manual' });

    await live.speak(960);
    await live.take({ type: 'input_audio_buffer.commit' });

    expect(live.turnClient.turn(-1).asked.nameRule).toBeUndefined();
  });

  test('answers everything when the satellite requests it', async () => {
    const live = await openByName();

    await live.take({ type: 'session.update', session: { wake: 'open' } });
    await live.speak(960);
    await live.silence(256);

    expect(live.of('session.updated')).toMatchObject([{ session: { wake: 'open' } }]);
    expect(live.turnClient.turn(-1).asked.nameRule).toBeUndefined();
  });
});
