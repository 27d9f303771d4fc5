/** @module-tag slow */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toBytes } from '../../api/src/audio/pcm.ts';
import { writeWav } from '../../api/src/audio/wav.ts';
import type { WakeMode } from '../../api/src/listen/events/listen-events.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { clip, voiceOf } from '../support/clients/room.ts';
import { startSatelliteProgram } from '../support/servers/satellite-program.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { spokenWord } from '../support/wake/sounds.ts';
import { fetchedWakeWords, wakeWordFolder } from '../support/wake/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'wake-words-'));
let home: VoiceHousehold;

const hasWords = fetchedWakeWords.length === 2;
beforeAll(async () => {
  if (!hasWords) return;
  cpSync(wakeWordFolder, folder, { recursive: true, dereference: true });
  writeFileSync(join(folder, 'casa.tflite'), 'no model');
  writeFileSync(join(folder, 'hey_mill.json'), '{"type":"micro"');
  home = await startVoiceHousehold({ env: { WAKE_WORDS_DIR: folder, LOG_WORDS: 'true' } });
  await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { follow_up_sound: false } });
});
beforeEach(() => {
  home?.forget();
  home?.piper.speaks(voiceOf);
});
afterAll(async () => {
  await home?.stop();
  rmSync(folder, { recursive: true });
});

/** The recorded "Okay Nabu", and a request in the same breath. */
const okayNabu = toBytes(spokenWord('okay-nabu'));
const called = {
  sampleRateHz: 16_000,
  samples: Buffer.concat([okayNabu.subarray(0, 1_700 * 32), clip('weather').samples]),
};

async function enter(client: string, wake: WakeMode = 'word') {
  const satellite = await connectListen(home.assistant.address, { client, room: client, wake });
  const microphone = satellite.openMicrophone();
  return {
    ...satellite,
    ...microphone,
    leave: async () => {
      microphone.close();
      await satellite.close();
    },
  };
}

describe.skipIf(!hasWords)('a satellite that listens for its wake word (needs the fetched models)', () => {
  test('answers the request after the word, and transcribes nothing else', async () => {
    home.stt.hears('Okay now move, why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const room = await enter('sky');

    await room.say(clip('weather'));
    const before = [room.events.length, home.stt.calls.length];
    await room.say(called);
    const { transcript, done } = await room.exchange();
    await room.event('wake.changed', 1);
    await room.leave();

    expect(before).toEqual([1, 0]);
    expect([transcript, done.reply]).toEqual(['why is the sky blue?', 'Air scatters blue light.']);
    expect(room.events.flatMap(({ event }) => (event.type === 'wake.changed' ? [event.reason] : []))).toEqual(
      ['word', 'answered'],
    );
    expect((await room.event('microphone.changed')).event.open).toBe(true);
  });

  test('answers the word alone with a sound, and then accepts the next sentence', async () => {
    home.stt.hears('Okay, Nabu.');
    const room = await enter('alone');

    await room.say({ sampleRateHz: 16_000, samples: okayNabu });
    const { reason } = (await room.event('wake.changed', 1)).event;
    await room.event('response.done');
    home.stt.hears('What time is it?');
    await room.say(clip('weather'));
    const { done } = await room.exchange(1, 20_000);
    await room.leave();

    expect([reason, done.via]).toEqual(['called', 'skills']);
  });

  test('can detect its word itself, with a model from the server', async () => {
    home.stt.hears('Okay Nabu, what time is it?');
    const { body } = await home.assistant.call('/wake-words');
    const room = await enter('itself');
    room.send({ type: 'session.update', session: { wake_detector: 'client' } });
    await room.event('session.updated');

    await room.say(called);
    const before = home.stt.calls.length;
    room.send({ type: 'wake.heard', word: 'okay_nabu', certainty: 'perhaps' });
    await room.say(called);
    const { transcript } = await room.exchange();
    await room.leave();

    expect(body).toMatchObject({
      words: [
        {
          word: 'okay_nabu',
          phrase: 'Okay Nabu',
          model: Buffer.from(fetchedWakeWords[1]?.model ?? []).toString('base64'),
        },
      ],
    });
    expect([before, transcript]).toEqual([0, 'what time is it?']);
  });

  test('may be the shipped satellite program, which detects the word itself', async () => {
    home.stt.hears('Okay Nabu, what time is it?');
    const [file, out] = [join(folder, 'said.wav'), join(folder, 'answer.wav')];
    // The models load during the silence, and the server ignores speech before the word.
    const samples = Buffer.concat([
      Buffer.alloc(64_000),
      clip('weather').samples,
      Buffer.alloc(64_000),
      called.samples,
    ]);
    writeFileSync(file, writeWav({ sampleRateHz: 16_000, samples }));

    const { address } = home.assistant;
    const program = startSatelliteProgram(folder, [
      '--url',
      address,
      '--wake',
      'word',
      '--in',
      file,
      '--out',
      out,
    ]);
    await program.ended;

    expect(program.told()).toContain('It listens for "Okay Nabu".');
    expect(program.told()).not.toContain('All sound is sent');
    expect(program.said()).toMatch(/^Heard: what time is it\?\nSaid: {2}It is /);
  });

  test('is refused an unknown listening mode', async () => {
    const refused = await home.assistant.call('/listen?wake=nonsense');
    const room = await enter('nonsense');
    room.send({ type: 'session.update', session: { wake: 'nonsense' } });
    const { event } = await room.event('error');
    await room.leave();

    expect([refused.status, event.error.code]).toEqual([400, 'invalid_request']);
  });

  test('wakes at the words that the household selects from the available ones', async () => {
    const change = (wake_words: string[] | null) =>
      home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { wake_words } });

    const unknown = await change(['hey_casa']);
    const options = await home.assistant.call('/admin/pipeline/options');
    const known = await change(['hey_jarvis']);
    const room = await enter('jarvis');
    await change(null);
    await room.leave();

    expect(JSON.stringify(unknown.body)).toContain('It has hey_jarvis, okay_nabu.');
    expect(options.body).toMatchObject({
      wake_words: ['hey_jarvis', 'okay_nabu'],
      refused_wake_words: [
        { file: 'hey_mill.json', reason: 'it is not JSON' },
        { file: 'casa.tflite', reason: 'no .json describes it, such as casa.json' },
      ],
    });
    expect([unknown.status, known.status]).toEqual([400, 200]);
    expect((await room.event('session.created')).event.session.wake_words).toEqual([
      { word: 'hey_jarvis', phrase: 'Hey Jarvis' },
    ]);
  });
});
