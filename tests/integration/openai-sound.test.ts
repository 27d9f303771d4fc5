import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readWav, writeWav } from '../../api/src/audio/wav.ts';
import { errorOf } from '../support/clients/caller.ts';
import { recordingOf, startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let house: VoiceHousehold;
let openai: OpenAI;
beforeAll(async () => {
  house = await startVoiceHousehold();
  openai = new OpenAI({ baseURL: `${house.assistant.address}/v1`, apiKey: 'any', maxRetries: 0 });
});
beforeEach(() => house.forget());
afterAll(() => house?.stop());

const transcribe = '/v1/audio/transcriptions';
const boundary = 'a-boundary';
type Part = [name: string, value: string | Buffer];

/** A form as a program sends it; bytes become a file. */
function formOf(parts: readonly Part[]): Buffer {
  const bytes = parts.flatMap(([name, value]) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${typeof value === 'string' ? '' : '; filename="a.wav"'}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]);
}
const send = (body: Buffer | string, type = `multipart/form-data; boundary=${boundary}`) =>
  house.assistant.call(transcribe, { method: 'POST', headers: { 'content-type': type }, body });
const file: Part = ['file', recordingOf('Good morning.')];

describe("a program's recording", () => {
  test('returns as words in JSON', async () => {
    const answer = await send(formOf([file, ['model', 'gpt-4o-transcribe']]));

    expect(answer).toMatchObject({
      status: 200,
      body: { text: 'Good morning.', usage: { type: 'duration', seconds: 1 } },
    });
  });

  test('returns as text, subtitles and with times', async () => {
    const as = async (format: string) => (await send(formOf([file, ['response_format', format]]))).text;

    expect(await as('text')).toBe('Good morning.\n');
    expect(await as('srt')).toMatch(/^1\n00:00:00,000 --> 00:00:0[12],\d{3}\nGood morning\.\n$/);
    expect(await as('vtt')).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:0[12]\.\d{3}\nGood morning\.\n$/);
    expect(JSON.parse(await as('verbose_json'))).toMatchObject({
      task: 'transcribe',
      text: 'Good morning.',
      segments: [{ id: 0, start: 0, text: 'Good morning.' }],
    });
  });

  test('is streamed with the usage that clients read there', async () => {
    const { text } = await send(formOf([file, ['stream', 'true']]));

    const done = JSON.parse(text.trimEnd().split('\n\n').at(-1)?.replace('data: ', '') ?? '');
    const usage = { type: 'tokens', input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    expect(done).toEqual({ type: 'transcript.text.done', text: 'Good morning.', usage });
  });

  test('may come in chunks of unknown length, labelled as video, as LibreChat sends it', async () => {
    const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`;
    const pieces = [
      part('name="file"; filename="audio.webm"\r\ncontent-type: video/webm'),
      recordingOf('Good morning.'),
      `\r\n${part('name="model"')}whisper-1\r\n--${boundary}--\r\n`,
    ];

    const answer = await fetch(`${house.assistant.address}${transcribe}`, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Readable.toWeb(Readable.from(pieces)),
      duplex: 'half',
    });

    expect(await answer.json()).toMatchObject({ text: 'Good morning.' });
  });

  test('is translated from any language if the recognition can', async () => {
    const translations = openai.audio.translations;
    const wav = () => toFile(recordingOf('Good morning.'), 'a.wav');
    const { text } = await translations.create({ file: await wav(), model: 'whisper-1' });
    const [call] = house.stt.calls;
    house.stt.hears(
      () => (response: ServerResponse) =>
        void response.writeHead(400).end('{"error": {"code": "cannot_translate"}}'),
    );
    const refusal = await translations
      .create({ file: await wav(), model: 'whisper-1' })
      .catch((error: unknown) => error);

    expect(text).toBe('Good morning.');
    expect(call).toMatchObject({ translates: true, form: { language: 'auto' } });
    expect(call?.form['prompt']).toBeUndefined();
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refusal).toHaveProperty('message', expect.stringContaining('cannot translate'));
  });

  test("is transcribed after people's utterances, with the household's hints", async () => {
    await send(formOf([file]));
    await send(formOf([file, ['prompt', 'Names: Zoë, Björk.'], ['language', 'de'], ['temperature', '0.4']]));
    await send(formOf([file, ['prompt', '']]));

    const [usual, wished, plain] = house.stt.calls.map(({ form }) => form);
    expect(house.stt.calls.map(({ priority }) => priority)).toEqual(['u=6', 'u=6', 'u=6']);
    expect(usual?.['prompt']).toContain('timer');
    expect(wished).toMatchObject({ prompt: 'Names: Zoë, Björk.', language: 'de', temperature: '0.4' });
    expect(plain?.['prompt']).toBeUndefined();
  });

  test('leaves no trace, and asks no model', async () => {
    await send(formOf([file]));

    const { body } = await house.assistant.call('/admin/turns');
    expect(JSON.stringify(body)).not.toContain('Good morning');
    expect(house.llm.calls).toEqual([]);
    expect(await house.store.keys('hearth:conversation:*')).toEqual([]);
  });

  test('has no words without speech, whatever the recognition returns', async () => {
    house.stt.hears('Thank you.');
    const silence = writeWav({ sampleRateHz: 16_000, samples: Buffer.alloc(64_000) });

    const answer = await send(formOf([['file', silence]]));

    expect(answer.body).toMatchObject({ text: '' });
  });

  const long = writeWav({ sampleRateHz: 4_000, samples: Buffer.alloc(31 * 60 * 4_000 * 2) });
  const refused: [what: string, parts: Part[], status: number, param: string | null][] = [
    ['without a file', [['model', 'whisper-1']], 400, 'file'],
    ['with a text as its file', [['file', 'hello']], 400, 'file'],
    ['in a format that does not exist', [file, ['response_format', 'yaml']], 400, 'response_format'],
    ['with speakers told apart', [file, ['response_format', 'diarized_json']], 400, 'response_format'],
    [
      'with the times of letters',
      [file, ['timestamp_granularities[]', 'letter']],
      400,
      'timestamp_granularities[]',
    ],
    ['in a language that is none', [file, ['language', 'klingon, please']], 400, 'language'],
    ['at a temperature of 7', [file, ['temperature', '7']], 400, 'temperature'],
    ['with too long a prompt', [file, ['prompt', 'a'.repeat(16_001)]], 400, 'prompt'],
    ['streamed as subtitles', [file, ['stream', 'true'], ['response_format', 'srt']], 400, 'stream'],
    ['that is not sound', [['file', Buffer.from('What is this?')]], 400, null],
    ['of more than half an hour', [['file', long]], 413, null],
    ['of more than 25 MiB', [['file', Buffer.alloc(26 * 1024 * 1024)]], 413, null],
  ];
  test.each(refused)('is refused %s', async (_, parts, status, param) => {
    const answer = await send(formOf(parts));

    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { param } });
    expect(house.stt.calls).toEqual([]);
  });

  test.each([
    ['that is not a form', 'file=hello', `multipart/form-data; boundary=${boundary}`, 400],
    ['that has no boundary', formOf([file]), 'multipart/form-data', 400],
    [
      'that ends in the middle',
      formOf([file]).subarray(0, 400),
      `multipart/form-data; boundary=${boundary}`,
      400,
    ],
    ['that is JSON', '{"file": "hello"}', 'application/json', 415],
  ])('is refused in a body %s', async (_, body, type, status) => {
    expect((await send(body, type)).status).toBe(status);
  });

  test('is refused if the recognition does not know its language', async () => {
    house.stt.hears(
      () => (response: ServerResponse) => void response.writeHead(422).end('{"detail":"language"}'),
    );

    const answer = await send(formOf([file, ['language', 'yo']]));

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 'invalid_request', param: 'language' } });
  });

  test.each([
    ['zh-Hans-CN', 'zh'],
    ['English', 'en'],
    ['jp', 'ja'],
  ])('is transcribed in %j', async (language, code) => {
    await send(formOf([file, ['language', language]]));

    expect(house.stt.calls.map(({ form }) => form)).toEqual([expect.objectContaining({ language: code })]);
  });

  test('in any language is sent without one to a recognition that does not know the word "auto"', async () => {
    house.stt.hears(({ form }) =>
      form['language'] === 'auto'
        ? (response: ServerResponse) => void response.writeHead(422).end('{}')
        : 'Hello.',
    );

    const answer = await send(formOf([file, ['language', 'auto']]));

    expect(answer.body).toMatchObject({ text: 'Hello.' });
  });

  test('is not transcribed for a caller that has left', async () => {
    const caller = new AbortController();
    house.stt.hears(() => async (_response, { gone }) => {
      caller.abort();
      await waitFor(() => gone.aborted);
    });

    const asked = openai.audio.transcriptions.create(
      { file: await toFile(recordingOf('Wait.'), 'a.wav'), model: 'whisper-1' },
      { signal: caller.signal },
    );

    await expect(asked).rejects.toThrow();
    await waitFor(() => house.stt.calls.every(({ gone }) => gone.aborted));
  });

  test('fails with the reason if the recognition cannot transcribe', async () => {
    house.stt.hears(() => (response: ServerResponse) => void response.writeHead(500).end());

    expect(errorOf(await send(formOf([file])))).toEqual({ status: 502, code: 'stt_bad_answer' });
    const streamed = await send(formOf([file, ['stream', 'true']]));
    expect(errorOf(streamed)).toEqual({ status: 502, code: 'stt_bad_answer' });
  });
});

describe("a program's text", () => {
  const speak = (body: object) => house.assistant.call('/v1/audio/speech', { body });

  test("is spoken by the household's voice, sentence by sentence", async () => {
    const input = 'The tea is ready. It is 21 °C outside.';
    const answer = await openai.audio.speech.create({
      model: 'tts-1',
      voice: 'shimmer',
      input,
      response_format: 'wav',
    });
    const sound = readWav(Buffer.from(await answer.arrayBuffer()));

    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(sound?.sampleRateHz).toBe(24_000);
    expect(house.piper.spoken.map(({ text }) => text)).toEqual([
      'The tea is ready.',
      'It is 21 degrees Celsius outside.',
    ]);
  });

  test('is spoken as written, at the requested speed', async () => {
    await speak({ input: 'It is 21 °C.', voice: 'alloy', speed: 2, verbatim: true, response_format: 'pcm' });

    expect(house.piper.spoken).toMatchObject([{ text: 'It is 21 °C.', length_scale: 0.5 }]);
  });

  test('is spoken by one of our voices', async () => {
    await speak({ input: 'Hello there.', voice: { id: 'en_US-joe-medium' }, response_format: 'pcm' });

    expect(house.piper.spoken).toMatchObject([{ voice: 'en_US-joe-medium' }]);
  });

  test('has the voices that a program may select, and each of them speaks', async () => {
    const list = z.object({ voices: z.array(z.object({ id: z.string(), name: z.string() })) });
    const { voices } = list.parse((await house.assistant.call('/v1/audio/voices')).body);
    const ids = voices.map(({ id }) => id);
    const last = await speak({ input: 'Hello.', voice: ids.at(-1), response_format: 'pcm' });

    expect(ids).toEqual(expect.arrayContaining(['alloy', 'nova', 'en_US-joe-medium']));
    expect(last.status).toBe(200);
  });

  test('returns as events', async () => {
    const answer = await speak({ input: 'One. Two.', stream_format: 'sse', response_format: 'pcm' });
    const events = answer.text
      .split('\n\n')
      .filter(Boolean)
      .map((event): { type: string; audio?: string } => JSON.parse(event.replace('data: ', '')));

    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['speech.audio.delta', 'speech.audio.done']),
    );
    expect(events.at(-1)?.type).toBe('speech.audio.done');
    expect(Buffer.from(events[0]?.audio ?? '', 'base64').length).toBeGreaterThan(1_000);
  });

  test('starts to play while the rest is synthesized', async () => {
    const rest = Promise.withResolvers<void>();
    let made = 0;
    house.piper.speaks(async ({ text }) => {
      made += 1;
      if (made > 1) await rest.promise;
      return recordingOf(text);
    });

    const answer = await openai.audio.speech.create({
      model: 'tts-1',
      voice: 'alloy',
      input: 'The first one. The second one. The third one.',
      response_format: 'pcm',
    });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    rest.resolve();
    let bytes = 0;
    for (let more = await reader?.read(); more && !more.done; more = await reader?.read())
      bytes += more.value.length;

    expect(first?.value?.length).toBeGreaterThan(1_000);
    expect(bytes).toBeGreaterThan(first?.value?.length ?? 0);
  });

  const refused: [what: string, body: object, param: string][] = [
    ['empty', { input: '' }, 'input'],
    ['of 100,000 letters', { input: 'a'.repeat(100_000) }, 'input'],
    ['in a format that does not exist', { input: 'Hello.', response_format: 'midi' }, 'response_format'],
    ['at no speed', { input: 'Hello.', speed: 0 }, 'speed'],
    ['by a voice that is not here', { input: 'Hello.', voice: 'de_DE-thorsten-medium' }, 'voice'],
  ];
  test.each(refused)('is refused %s', async (_, body, param) => {
    const answer = await speak(body);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { param } });
    expect(house.piper.spoken).toEqual([]);
  });

  test.each(['🎉', '---', '…', '... !!!'])('is a moment of silence if %j has no words', async (input) => {
    const answer = await openai.audio.speech.create({
      model: 'tts-1',
      voice: 'shimmer',
      input,
      response_format: 'wav',
    });

    expect(readWav(Buffer.from(await answer.arrayBuffer()))).toEqual({
      sampleRateHz: 24_000,
      samples: Buffer.alloc(12_000),
    });
    expect(house.piper.spoken).toEqual([]);
  });

  test.each(['', 'Alloy', ' alloy '])("is spoken by the household's voice for %j", async (voice) => {
    expect((await speak({ input: 'Hello.', voice })).status).toBe(200);
  });

  test('gets an error with the limit when it is too long', async () => {
    expect((await speak({ input: 'a'.repeat(5_000) })).text).toMatch(/4,?096/);
  });

  test('is spoken by the fallback voice when ours cannot', async () => {
    house.piper.speaks(() => 500);

    const answer = await speak({ input: 'Dinner is ready.', response_format: 'pcm' });

    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeGreaterThan(1_000);
  });
});
