/** @module-tag slow */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import { readWav } from '../../api/src/audio/wav.ts';
import { onAnyReplica } from '../../api/src/engines/any-replica.ts';
import { createEngineClient, EngineError } from '../../api/src/engines/engine-client.ts';
import { createSttClient, type SttClient } from '../../api/src/engines/stt-client.ts';
import { transcriptOf } from '../../api/src/engines/transcript.ts';
import { warmUpStt } from '../../api/src/engines/warm-up.ts';
import {
  type FakeStt,
  failsToHear,
  inTurn,
  neverHears,
  type SttCall,
  startFakeStt,
} from '../support/fakes/fake-stt.ts';
import { hasSpeechEngines, type RealEngine, startRealStt } from '../support/servers/real-speech.ts';
import { waitFor } from '../support/wait-for.ts';

const speech = resolve(import.meta.dirname, '../../../shared/speech');
const model = 'Systran/faster-whisper-tiny.en';

const soon = () => AbortSignal.timeout(30_000);
const clientOf = (baseUrl: string, name?: string) =>
  createSttClient({ http: createEngineClient('stt'), baseUrl, model: () => name });

function clip(name: string) {
  const sound = readWav(readFileSync(resolve(speech, name)));
  if (!sound) throw new Error(`${name} is not a 16-bit mono WAV`);
  return sound;
}

/** A second of a loud tone stands for words. */
const question = { sampleRateHz: 16_000, samples: Buffer.alloc(2 * 16_000, 'ab') };
const whatIsThere = ({ sound }: SttCall) =>
  sound?.samples.some((byte) => byte !== 0) ? 'What time is it?' : null;

const transcriptBy = async (client: SttClient, sound: Pcm, prompt?: string) => {
  const transcription = await client.transcribe({
    sound,
    urgency: 1,
    signal: soon(),
    ...(prompt && { prompt }),
  });
  return transcriptOf(transcription, { hallucinations: ['thank you'], hint: prompt });
};

const silence = { sampleRateHz: 16_000, samples: Buffer.alloc(2 * 16_000) };

const replicaOf = (url: string, suspect: () => void = () => undefined) => ({
  url,
  client: clientOf(url, model),
  status: () => ({ state: 'ready', reason: null, since: 0, model }) as const,
  suspect,
});

/** True of any server, fake or real. */
function contract(client: () => SttClient): void {
  test('the engine hears nothing in silence', async () => {
    expect(await transcriptBy(client(), silence)).toEqual({ text: '', isSure: false });
  });

  test('the engine proves that it works and names its model', async () => {
    expect(await warmUpStt(client(), soon())).toEqual(expect.stringMatching(/./));
  });

  test('the engine stops when the caller does', async () => {
    const gone = new AbortController();
    const transcription = client().transcribe({ sound: silence, signal: gone.signal });
    gone.abort(new Error('the caller left'));

    await expect(transcription).rejects.toThrow('the caller left');
  });
}

describe('a transcription server like speaches', () => {
  let fake: FakeStt;
  afterAll(() => fake?.stop());
  beforeAll(async () => {
    fake = await startFakeStt({ installed: [model], hears: whatIsThere });
  });
  contract(() => clientOf(fake.url, model));

  test('gets requests for words with their scores, and a prompt with hints', async () => {
    const client = clientOf(fake.url);
    await client.findModel(soon());

    const transcribed = await client.transcribe({
      sound: question,
      prompt: 'Timers: pasta.',
      language: 'en',
      urgency: 1,
      signal: soon(),
    });

    expect(transcribed).toMatchObject({
      text: 'What time is it?',
      language: 'en',
      hasVoice: false,
      segments: [{ text: 'What time is it?', noSpeechProb: 0.02, avgLogprob: -0.2, compressionRatio: 0.9 }],
      reason: null,
    });
    expect(fake.forms.at(-1)).toMatchObject({
      model,
      response_format: 'verbose_json',
      prompt: 'Timers: pasta.',
      language: 'en',
    });
    expect(fake.priorities.at(-1)).toBe('u=1');
  });

  test('gets one request to fetch a missing model', async () => {
    const empty = await startFakeStt();
    const client = clientOf(empty.url, model);

    await expect(client.findModel(soon())).rejects.toMatchObject({ failure: 'downloading' });
    await expect(client.findModel(soon())).rejects.toMatchObject({ failure: 'downloading' });
    empty.finishFetch();

    await waitFor(() => client.findModel(soon()).then((name) => name === model));
    expect(empty.fetched).toBe(1);
    empty.stop();
  });

  test('reports a missing model name', async () => {
    const empty = await startFakeStt();

    await expect(clientOf(empty.url).findModel(soon())).rejects.toMatchObject({ failure: 'refused' });

    empty.stop();
  });

  test('is refused if it does not have the model after all', async () => {
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
  ])('reports a status of %i as %s', async (status, failure) => {
    const broken = await startFakeStt({ broken: status });

    const transcription = clientOf(broken.url, model).transcribe({ sound: silence, signal: soon() });

    await expect(transcription).rejects.toMatchObject({ failure });
    broken.stop();
  });

  test('is replaced by the next one when it is gone', async () => {
    const gone = await startFakeStt({ installed: [model] });
    gone.stop();
    const suspected: string[] = [];
    const replicas = [gone.url, fake.url].map((url) => replicaOf(url, () => suspected.push(url)));

    // Whichever of the two a key selects, the living one answers.
    const transcriptions = await Promise.all(
      ['anna', 'ben', 'kitchen', 'api'].map((key) =>
        onAnyReplica(replicas, key, ({ client }) => client.transcribe({ sound: question, signal: soon() })),
      ),
    );

    expect(transcriptions.map(({ text }) => text)).toEqual(Array(4).fill('What time is it?'));
    expect(new Set(suspected)).toEqual(new Set([gone.url]));
  });

  test.each([
    [429, 'is busy'],
    [503, 'is loading'],
  ])('is replaced by another for one call when it says %i: it %s', async (status) => {
    const [here, there] = await Promise.all([1, 2].map(() => startFakeStt({ installed: [model] })));
    if (!here || !there) throw new Error('no servers');
    const refusesOnce = inTurn(failsToHear(status, 1), 'Stop.');
    for (const server of [here, there]) server.hears(refusesOnce);
    const replicas = [here, there].map(({ url }) => replicaOf(url));

    const transcript = await onAnyReplica(replicas, 'kitchen', ({ client }) =>
      transcriptBy(client, question),
    );

    expect(transcript).toEqual({ text: 'Stop.', isSure: true });
    expect([here.calls.length, there.calls.length]).toEqual([1, 1]);
    for (const server of [here, there]) server.stop();
  });

  test('is trusted without scores, except for likely hallucinations', async () => {
    const bare = await startFakeStt({ installed: [model] });
    bare.hears(inTurn(...['Hello.', 'Thank you.', 'Add bread.'].map((text) => ({ text, bare: true }))));
    const client = clientOf(bare.url, model);

    const transcripts = [
      await transcriptBy(client, question),
      await transcriptBy(client, question),
      await transcriptBy(client, question, 'Add bread.'),
    ];

    bare.stop();
    expect(transcripts).toEqual([
      { text: 'Hello.', isSure: true },
      { text: '', isSure: false },
      { text: 'Add bread.', isSure: false },
    ]);
  });

  test('stops when its caller disconnects', async () => {
    const slow = await startFakeStt({ installed: [model], hears: () => neverHears });
    const gone = new AbortController();
    const transcription = clientOf(slow.url, model).transcribe({ sound: question, signal: gone.signal });
    await waitFor(() => slow.busy === 1);

    gone.abort(new Error('the caller left'));

    await expect(transcription).rejects.toThrow('the caller left');
    await waitFor(() => slow.left === 1 && slow.busy === 0);
    slow.stop();
  });

  test('is unreachable without a listener', async () => {
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

  test.skipIf(!existsSync(speech)).each([
    ['france.wav', 'What is the capital of France?'],
    ['joe-timer-pasta.wav', 'Set a pasta timer for 10 minutes.'],
  ])('hears %s (needs ../shared/speech)', async (name, words) => {
    const prompt =
      'Set a tea timer for five minutes. Add bread to the shopping list. Cancel the oven timer. Timers: pasta.';

    const { text, isSure } = await transcriptBy(client, clip(name), prompt);

    expect({ text: text.replace('ten', '10'), isSure }).toEqual({ text: words, isSure: true });
  });
});
