import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWav } from '../../api/src/audio/wav.ts';
import { createEngineClient, EngineError } from '../../api/src/engines/engine-client.ts';
import { wordsHeard } from '../../api/src/engines/heard.ts';
import { onAnyReplica } from '../../api/src/engines/replicas.ts';
import { createSttClient, type SttClient } from '../../api/src/engines/stt-client.ts';
import { warmUpStt } from '../../api/src/engines/warm-up.ts';
import { type FakeStt, startFakeStt } from '../support/fake-stt.ts';
import { hasSpeechEngines, type RealEngine, startRealStt } from '../support/real-speech.ts';
import { waitFor } from '../support/wait-for.ts';

const speech = resolve(import.meta.dirname, '../../../shared/speech');
const model = 'Systran/faster-whisper-tiny.en';

const soon = () => AbortSignal.timeout(30_000);
const clientOf = (baseUrl: string, name?: string) =>
  createSttClient({ http: createEngineClient('stt'), baseUrl, ...(name !== undefined && { model: name }) });

function clip(name: string) {
  const sound = readWav(readFileSync(resolve(speech, name)));
  if (!sound) throw new Error(`${name} is no 16-bit mono WAV`);
  return sound;
}

const silence = { sampleRateHz: 16_000, samples: Buffer.alloc(2 * 16_000) };

/** What holds for any server, the fake and the real. */
function contract(client: () => SttClient): void {
  test('proves that it can hear and names its model', async () => {
    expect(await warmUpStt(client(), soon())).toEqual(expect.stringMatching(/./));
  });

  test('gives up when the caller does', async () => {
    const gone = new AbortController();
    const transcription = client().transcribe({ sound: silence, signal: gone.signal });
    gone.abort(new Error('the caller left'));

    await expect(transcription).rejects.toThrow('the caller left');
  });
}

describe('a transcription server that behaves as speaches', () => {
  let fake: FakeStt;
  afterAll(() => fake?.stop());
  beforeAll(async () => {
    fake = await startFakeStt({ installed: [model], hears: 'What time is it?' });
  });
  contract(() => clientOf(fake.url));

  test('is asked for words with their scores, and told what to expect', async () => {
    const client = clientOf(fake.url);
    await client.findModel(soon());

    const heard = await client.transcribe({
      sound: silence,
      prompt: 'Timers: pasta.',
      language: 'en',
      urgency: 1,
      signal: soon(),
    });

    expect(heard).toEqual({
      text: 'What time is it?',
      language: 'en',
      segments: [{ text: 'What time is it?', noSpeechProb: 0.02, avgLogprob: -0.2, compressionRatio: 0.9 }],
    });
    expect(fake.forms.at(-1)).toMatchObject({
      model,
      response_format: 'verbose_json',
      prompt: 'Timers: pasta.',
      language: 'en',
    });
    expect(fake.priorities.at(-1)).toBe('u=1');
  });

  test('hears nothing in silence', async () => {
    const quiet = await startFakeStt({ installed: [model], hears: null });
    const client = clientOf(quiet.url);
    await client.findModel(soon());

    const heard = await client.transcribe({ sound: silence, signal: soon() });

    quiet.stop();
    expect(wordsHeard(heard)).toBe('');
  });

  test('is told to fetch a model that it does not have, once', async () => {
    const empty = await startFakeStt();
    const client = clientOf(empty.url, model);

    await expect(client.findModel(soon())).rejects.toMatchObject({ failure: 'downloading' });
    await expect(client.findModel(soon())).rejects.toMatchObject({ failure: 'downloading' });
    empty.finishFetch();

    await waitFor(() => client.findModel(soon()).then((name) => name === model));
    expect(empty.fetched).toBe(1);
    empty.stop();
  });

  test('says that it has no model when none is named', async () => {
    const empty = await startFakeStt();

    await expect(clientOf(empty.url).findModel(soon())).rejects.toMatchObject({ failure: 'refused' });

    empty.stop();
  });

  test('is refused when it does not have the model after all', async () => {
    const client = clientOf(fake.url, 'another');

    await expect(client.transcribe({ sound: silence, signal: soon() })).rejects.toMatchObject({
      failure: 'refused',
      status: 404,
    });
  });

  test.each([
    [500, 'broken'],
    [503, 'loading'],
    [429, 'busy'],
  ])('tells a status of %i as %s', async (status, failure) => {
    const broken = await startFakeStt({ broken: status });

    const transcription = clientOf(broken.url, model).transcribe({ sound: silence, signal: soon() });

    await expect(transcription).rejects.toMatchObject({ failure });
    broken.stop();
  });

  test('is replaced by the next one when it is gone', async () => {
    const gone = await startFakeStt({ installed: [model] });
    gone.stop();
    const suspected: string[] = [];
    const replicas = [gone.url, fake.url].map((url) => ({
      url,
      client: clientOf(url, model),
      status: () => ({ state: 'ready', reason: null, since: 0, model }) as const,
      suspect: () => suspected.push(url),
    }));

    // Whichever of the two a key leads to, the one that lives answers.
    const heard = await Promise.all(
      ['anna', 'ben', 'kitchen', 'api'].map((key) =>
        onAnyReplica(replicas, key, ({ client }) => client.transcribe({ sound: silence, signal: soon() })),
      ),
    );

    expect(heard.map(({ text }) => text)).toEqual(Array(4).fill('What time is it?'));
    expect(new Set(suspected)).toEqual(new Set([gone.url]));
  });

  test('is unreachable when nobody listens', async () => {
    const gone = await startFakeStt();
    gone.stop();

    const error = await clientOf(gone.url)
      .findModel(soon())
      .catch((thrown) => thrown);

    expect(error).toBeInstanceOf(EngineError);
    expect(error.failure).toBe('unreachable');
  });
});

describe.skipIf(!hasSpeechEngines)('our own speech recognition (needs .venv and models)', () => {
  let real: RealEngine;
  let client: SttClient;
  beforeAll(async () => {
    real = await startRealStt();
    client = clientOf(real.url);
  });
  afterAll(() => real?.stop());
  contract(() => client);

  test('hears nothing in silence', async () => {
    expect(wordsHeard(await client.transcribe({ sound: silence, signal: soon() }))).toBe('');
  });

  test.skipIf(!existsSync(speech)).each([
    ['france.wav', 'What is the capital of France?'],
    ['joe-timer-pasta.wav', 'Set a pasta timer for 10 minutes.'],
  ])('hears %s (needs ../shared/speech)', async (name, words) => {
    const prompt =
      'Set a tea timer for five minutes. Add bread to the shopping list. Cancel the oven timer. Timers: pasta.';

    const heard = wordsHeard(
      await client.transcribe({ sound: clip(name), prompt, urgency: 1, signal: soon() }),
    );

    expect(heard.replace('ten', '10')).toBe(words);
  });
});
