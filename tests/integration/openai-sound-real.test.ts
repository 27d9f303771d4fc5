/** @module-tag slow */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wordErrors } from '../support/audio/word-errors.ts';
import { startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { startRedis } from '../support/servers/own-redis.ts';
import { hasSpeechEngines, startRealStt, startRealTts } from '../support/servers/real-speech.ts';

const speech = resolve(import.meta.dirname, '../../../shared/speech');
const clipSchema = z.array(z.object({ file: z.string(), text: z.string() }));
const clips = existsSync(speech)
  ? clipSchema.parse(JSON.parse(readFileSync(join(speech, 'cases.json'), 'utf8')))
  : [];
const sentences = [
  'The meeting starts at half past seven.',
  'Please put milk and bread on the list.',
  'It is raining in the garden.',
];
/** Nearly a minute of sound without repetitions, which are hard for the model. */
const story =
  `The old lighthouse keeper woke early that morning. A thick fog had come in from the sea, and he could hardly see the garden wall.
He lit the stove, made a pot of coffee, and listened to the radio. The weather report promised sunshine after lunch. Nobody in the village believed it.
His neighbour knocked at the door and asked for a hammer and some nails. Her fence had fallen over in the storm, and the sheep were on the road again.
They spent two hours catching them. By then the fog was gone, and the whole bay lay bright and blue below. He promised to paint her gate in spring.
In the evening they sat on the bench, ate bread with cheese, and counted the ships that went past the island.`.replaceAll(
    '\n',
    ' ',
  );
const formats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

/** OpenAI's own client, with the house's real transcription and voice. */
describe.skipIf(!hasSpeechEngines)("OpenAI's client with real engines (needs .venv and models)", () => {
  let assistant: Assistant;
  let openai: OpenAI;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const [redis, llm, stt, tts] = await Promise.all([
      startRedis(),
      startFakeLlm(),
      startRealStt(),
      startRealTts(),
    ]);
    const urls = { redisUrl: redis.url, llmUrl: llm.url, sttUrl: stt.url, ttsUrl: tts.url };
    assistant = await startAssistant(urls);
    openai = new OpenAI({ baseURL: `${assistant.address}/v1`, apiKey: 'any', maxRetries: 0 });
    stops.push(...[assistant, tts, stt, llm, redis].map((each) => () => each.stop()));
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  const write = (file: OpenAI.Audio.TranscriptionCreateParams['file']) =>
    openai.audio.transcriptions.create({ file, model: 'whisper-1' });
  const speak = async (input: string, response_format: (typeof formats)[number]) => {
    const answer = await openai.audio.speech.create({
      model: 'tts-1',
      voice: 'nova',
      input,
      response_format,
    });
    return Buffer.from(await answer.arrayBuffer());
  };

  test.skipIf(clips.length === 0)('transcribes every clip', async () => {
    let [wrong, words] = [0, 0];
    for (const { file, text } of clips) {
      const said = text.replace('|', ' ');
      const written = await write(createReadStream(join(speech, file)));
      wrong += wordErrors(said, written.text);
      words += said.split(/\s+/).length;
    }

    expect(wrong / words).toBeLessThan(0.1);
  });

  test.each(formats)('speaks %s that it understands itself', async (format) => {
    const heard = await Promise.all(
      sentences.map(async (sentence) => {
        const bytes = await speak(sentence, format);
        const type = format === 'pcm' ? 'audio/pcm; rate=24000' : `audio/${format}`;
        const { text } = await write(await toFile(bytes, `speech.${format}`, { type }));
        return wordErrors(sentence, text);
      }),
    );

    // Of 22 words. Wrongly decoded sound contains none of them.
    expect(heard.reduce((sum, wrong) => sum + wrong, 0)).toBeLessThanOrEqual(6);
  });

  test('speaks numbers, units and marks in words, unless the caller disables that', async () => {
    const request = { model: 'tts-1', voice: 'alloy', response_format: 'wav' } as const;
    const input = 'It is 21 °C and costs 5 € :-)';
    const said = await openai.audio.speech.create({ ...request, input });
    const { text } = await write(await toFile(Buffer.from(await said.arrayBuffer()), 'said.wav'));

    // The recognition may write a word as a sign.
    expect(text).toMatch(/(21|twenty[ -]one) ?(degrees celsius|°C)/i);
    expect(text).toMatch(/(5|five) euros?|€ ?5/i);
  });

  test('transcribes a long recording in pieces, with ascending times', async () => {
    const bytes = await speak(story, 'wav');
    const file = () => toFile(bytes, 'long.wav');
    const verbose = await openai.audio.transcriptions.create({
      file: await file(),
      model: 'whisper-1',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    const deltas: string[] = [];
    let whole = '';
    const stream = await openai.audio.transcriptions.create({
      file: await file(),
      model: 'whisper-1',
      stream: true,
    });
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta);
      if (event.type === 'transcript.text.done') whole = event.text;
    }

    const starts = (verbose.words ?? []).map(({ start }) => start);
    expect(verbose.duration).toBeGreaterThan(35);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(starts.at(-1)).toBeGreaterThan(verbose.duration - 3);
    expect(verbose.segments?.at(-1)?.end).toBeLessThanOrEqual(verbose.duration + 0.5);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toBe(whole);
    // Piper speaks slightly differently every time: 1.5 to 5.3 % in ten runs. A lost or repeated piece is 30
    // % and more.
    expect(wordErrors(story, whole) / story.split(' ').length).toBeLessThan(0.15);
  });
});
