/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import { writeWav } from '../../api/src/audio/wav.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient } from '../../api/src/engines/stt-client.ts';
import { transcriptOf } from '../../api/src/engines/transcript.ts';
import { createTtsClient, type TtsClient } from '../../api/src/engines/tts-client.ts';
import { warmUpTts } from '../../api/src/engines/warm-up.ts';
import { wordErrors } from '../support/audio/word-errors.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import {
  hasSpeechEngines,
  type RealEngine,
  startRealStt,
  startRealTts,
} from '../support/servers/real-speech.ts';

const soon = () => AbortSignal.timeout(30_000);
const clientOf = (baseUrl: string, voice?: string) =>
  createTtsClient({ http: createEngineClient('tts'), baseUrl, voice: () => voice });

/** True of any Piper, fake or real. */
function contract(client: () => TtsClient): void {
  test('the engine proves that it can speak and names its voice', async () => {
    expect(await warmUpTts(client(), soon())).toBe('en_US-joe-medium');
  });

  test('the engine speaks a sentence at its own rate', async () => {
    const sound = await client().speak({ text: 'Your pasta is ready.', signal: soon() });

    expect(sound?.sampleRateHz).toBe(22_050);
    expect(sound?.samples.length).toBeGreaterThan(0);
  });

  test.each(['', '   ', '...!?', '—', '[[ ]]', '🎉'])(
    'the engine skips %j, which has no words',
    async (text) => {
      expect(await client().speak({ text, signal: soon() })).toBeNull();
    },
  );

  test('the engine refuses a text that would block all others', async () => {
    await expect(client().speak({ text: 'word '.repeat(200), signal: soon() })).rejects.toMatchObject({
      failure: 'refused',
    });
  });

  test('the engine does not replace a missing voice by another', async () => {
    const { url } = await lookedAt(client());

    await expect(clientOf(url, 'en_GB-nobody-low').findVoice(soon())).rejects.toMatchObject({
      failure: 'refused',
    });
  });
}

/** The address behind a client under test. */
const urls = new WeakMap<TtsClient, string>();
const lookedAt = async (client: TtsClient) => ({ url: urls.get(client) ?? '' });
const known = (url: string): TtsClient => {
  const client = clientOf(url);
  urls.set(client, url);
  return client;
};

describe('a Piper server', () => {
  let fake: FakePiper;
  let client: TtsClient;
  beforeAll(async () => {
    fake = await startFakePiper();
    client = known(fake.url);
  });
  afterAll(() => fake?.stop());
  contract(() => client);

  test('gets words without brackets that it would read as phonemes', async () => {
    await client.speak({ text: 'Say [[ˈhɛloʊ]] now.', lengthScale: 1.2, signal: soon() });

    expect(fake.spoken.at(-1)).toEqual({ text: 'Say  ˈhɛloʊ  now.', length_scale: 1.2 });
  });

  test('is called at its old address before version 1.5', async () => {
    const old = await startFakePiper({ old: true });
    const oldClient = clientOf(old.url, 'en_US-joe-medium');

    await oldClient.findVoice(soon());
    const sound = await oldClient.speak({ text: 'Hello.', signal: soon() });

    old.stop();
    expect(sound?.sampleRateHz).toBe(22_050);
  });

  test('is broken when it answers with a page instead of sound', async () => {
    const odd = await startFakePiper({ says: Buffer.from('<!doctype html>') });

    await expect(clientOf(odd.url).speak({ text: 'Hello.', signal: soon() })).rejects.toMatchObject({
      failure: 'broken',
    });

    odd.stop();
  });

  test('is broken when its sound is endless, and is not read to the end', async () => {
    const sound = { sampleRateHz: 22_050, samples: Buffer.alloc(17 * 1024 * 1024) };
    const odd = await startFakePiper({ says: writeWav(sound) });

    await expect(clientOf(odd.url).speak({ text: 'Hello.', signal: soon() })).rejects.toMatchObject({
      failure: 'broken',
    });

    odd.stop();
  });
});

describe.skipIf(!hasSpeechEngines)('Piper itself (needs .venv and models)', () => {
  let voice: RealEngine;
  let sttEngine: RealEngine;
  let client: TtsClient;
  beforeAll(async () => {
    [voice, sttEngine] = await Promise.all([startRealTts(), startRealStt()]);
    client = known(voice.url);
  });
  afterAll(async () => {
    await Promise.all([voice?.stop(), sttEngine?.stop()]);
  });
  contract(() => client);

  test('is understood by our own speech recognition', async () => {
    const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: sttEngine.url });
    await stt.findModel(soon());
    let wrong = 0;
    let words = 0;
    const misheard: string[] = [];

    for (const text of sentences) {
      const sound = await client.speak({ text, signal: soon() });
      if (!sound) throw new Error(`no sound for: ${text}`);
      const transcription = await stt.transcribe({ sound: inARoom(sound), prompt: examples, signal: soon() });
      const { text: transcript } = transcriptOf(transcription, { hallucinations: [] });
      const errors = wordErrors(text, transcript);
      wrong += errors;
      words += text.split(' ').length;
      if (errors > 0) misheard.push(`${text} -> ${transcript}`);
    }

    // 4 to 7 words of 128 in twenty runs: Piper never says the same twice in exactly the same way.
    expect(wrong / words, misheard.join('\n')).toBeLessThanOrEqual(0.1);
  });
});

/** As in production, see services/stt: a household's sentences come first. */
const examples =
  'Set a tea timer for five minutes. Add bread to the shopping list. Cancel the oven timer. Rooms: kitchen, bedroom.';

/** A recording never starts and ends exactly with the words. */
function inARoom({ sampleRateHz, samples }: Pcm): Pcm {
  const pause = Buffer.alloc(Math.round(sampleRateHz * 0.4) * 2);
  return { sampleRateHz, samples: Buffer.concat([pause, samples, pause]) };
}

/** Sentences said to a household, with numbers, times and names in them. */
const sentences = [
  'The capital of France is Paris.',
  'Your name is Anna.',
  'Your timer for ten minutes is set.',
  'It is half past seven.',
  'There are seven days in a week.',
  'Two plus two is four.',
  'I added milk and bread to the shopping list.',
  'The kitchen lights are on.',
  'Your pasta timer is ready.',
  'Good morning, Peter. It is eight o’clock.',
  'The meeting with Laura is on Friday at three.',
  'William Shakespeare wrote Hamlet.',
  'It is twenty-one degrees in the living room.',
  'I could not reach the language model.',
  'Sorry, I did not catch that.',
  'The bread needs forty-five minutes.',
  'A year has three hundred and sixty-five days.',
  'Tomorrow is Saturday, the twenty-first of November.',
  'You have three timers: pasta, tea and eggs.',
  'Water boils at one hundred degrees.',
];
