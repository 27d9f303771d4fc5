import type { Pcm } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { EngineError } from './engine-client.ts';
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
