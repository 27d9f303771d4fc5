import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { writeWav } from '../api/src/audio/wav.ts';
import { createWorkLog } from './stub-work.ts';

/**
 * Speech engines of known speed: the protocols of our speech recognition and of Piper, without models. Runs
 * as a separate process. Messages set the duration of transcription and speech, and the transcript (`{
 * hearMs, msPerCharacter, transcript }`). It sends its two ports, which may be given as arguments. On `{
 * tell: true }` it sends its work since the last time.
 */

const speedSchema = z.object({
  hearMs: z.number(),
  msPerCharacter: z.number(),
  transcript: z.string().default('Tell me a story about a boat.'),
});
const tellSchema = z.object({ tell: z.literal(true) });
const textSchema = z.object({ text: z.string() });

let speed = speedSchema.parse({ hearMs: 0, msPerCharacter: 0 });
const done = createWorkLog();
const sampleRateHz = 22_050;
/** The time that a person takes to say a character. */
const soundMsPerCharacter = 65;

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sure = { no_speech_prob: 0.01, avg_logprob: -0.2, compression_ratio: 1 };

const sttServer = createServer(async (request, response) => {
  await read(request);
  const answer = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.url === '/v1/models') return answer({ data: [{ id: 'whisper' }] });
  const { transcript, hearMs } = speed;
  if (request.url === '/v1/audio/transcriptions') await done.note('hear', () => delay(hearMs));
  answer({ text: transcript, language: 'en', segments: [{ text: ` ${transcript}`, ...sure }] });
});

/** It synthesizes one text at a time: one is enough to keep a processor busy. */
let speaking: Promise<unknown> = Promise.resolve();

const ttsServer = createServer(async (request, response) => {
  const body = await read(request);
  if (request.url === '/info') {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ voice: { name: 'stub' } }));
  }
  if (request.method !== 'POST') return response.writeHead(404).end();
  const { text } = textSchema.parse(JSON.parse(body.toString()));
  speaking = speaking.then(() => delay(speed.msPerCharacter * text.length));
  const spoken = speaking;
  await done.note('say', () => spoken);
  // Piper's own label.
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(soundOf(text));
});

/** Differs from all microphone input: voice detection could take an even tone for many voices. */
let noise = 7;

function soundOf(text: string): Buffer {
  const count = Math.round((text.length * soundMsPerCharacter * sampleRateHz) / 1_000);
  const samples = new Int16Array(count);
  for (let at = 0; at < count; at += 1) {
    noise = (noise * 16_807) % 2_147_483_647;
    samples[at] = (noise % 16_000) - 8_000;
  }
  return writeWav({ sampleRateHz, samples: Buffer.from(samples.buffer) });
}

async function portOf(server: Server, wanted = '0'): Promise<number> {
  await new Promise<void>((listening) => server.listen(Number(wanted), '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

process.on('message', (message) => {
  if (tellSchema.safeParse(message).success) {
    process.send?.({ work: done.take() });
    return;
  }
  speed = speedSchema.parse(message);
  process.send?.(speed);
});
process.on('disconnect', () => process.exit());
process.send?.({
  ports: { stt: await portOf(sttServer, process.argv[2]), tts: await portOf(ttsServer, process.argv[3]) },
});
