import type { Pcm } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { EngineError } from './engine-client.ts';
import type { LlmClient } from './llm-client.ts';
import type { SttClient } from './stt-client.ts';
import type { TtsClient } from './tts-client.ts';

/** Proves with a transcription that a server works. Returns the model's name. Throws EngineError. */
export async function warmUpStt(client: SttClient, signal: AbortSignal): Promise<string> {
  const model = await client.findModel(signal);
  // Lowest urgency: real speech comes first.
  await client.transcribe({ sound: hum(), urgency: 7, signal });
  return model;
}

/** Proves with one word that a server can speak. Returns the voice's name. Throws EngineError. */
export async function warmUpTts(client: TtsClient, signal: AbortSignal): Promise<string> {
  const voice = await client.findVoice(signal);
  const sound = await client.speak({ text: 'Ready.', signal });
  if (!sound || sound.samples.length === 0)
    throw new EngineError('tts', 'broken', { detail: 'a word gave no sound' });
  return voice;
}

/** Enough tokens to measure the speed of a model. */
const measureTokens = 16;

/**
 * Lets a language model continue a count, so that its client notes its speed. Other servers than llama.cpp
 * may bill it, so they are measured by their real answers only.
 */
export async function measureLlm(client: LlmClient, signal: AbortSignal): Promise<null> {
  if (!client.facts?.isLlamaCpp) return null;
  const content = '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,';
  const request = { messages: [{ role: 'user', content } as const], maxTokens: measureTokens, signal };
  for await (const _ of client.chat(request)) {
    // the client measures the answer
  }
  return null;
}

/** Duration of a work in ms. */
export async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}

/** A one-second swelling hum at voice pitch: loud enough to be transcribed, without words. */
function hum(): Pcm {
  const samples = Buffer.alloc(speechRateHz * 2);
  for (let at = 0; at < speechRateHz; at += 1) {
    const swell = Math.sin((Math.PI * at) / speechRateHz);
    const value = 8_000 * swell * Math.sin((2 * Math.PI * 150 * at) / speechRateHz);
    samples.writeInt16LE(Math.round(value), at * 2);
  }
  return { sampleRateHz: speechRateHz, samples };
}
