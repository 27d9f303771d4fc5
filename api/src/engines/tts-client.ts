import { z } from 'zod';
import { type Pcm, readWav } from '../audio/wav.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

export interface SpeechRequest {
  /** A sentence, or a little more: Piper begins to answer only when it has spoken all of it. */
  text: string;
  /** Speaking time relative to the voice's own: above 1 is slower. */
  lengthScale?: number;
  signal: AbortSignal;
}

/** Piper has no limit of its own, and a long text would block everybody else. */
export const mostSpokenCharacters = 500;

const factIdleMs = 5_000;
/** Measured at under 1 ms a character; fifty times that is a hang. */
const firstAnswerMs = 5_000;
const perCharacterMs = 50;

const infoSchema = z.object({ voice: z.object({ name: z.string() }) });
const voicesSchema = z.record(z.string(), z.unknown());

interface TtsClientOptions {
  http: EngineClient;
  baseUrl: string;
  /** The voice to speak with; the server's own when unset. */
  voice?: string | undefined;
}

export type TtsClient = ReturnType<typeof createTtsClient>;

/** One Piper HTTP server (piper-tts 1.3 to 1.7). */
export function createTtsClient({ http, baseUrl, voice }: TtsClientOptions) {
  /** Since 1.5 speech is made at /synthesize; before, at /, which now is a page. */
  let path: '/synthesize' | '/' = '/synthesize';

  return {
    /** Which voice speaks. Throws EngineError; Piper would silently take another one for a voice that it does not have. */
    async findVoice(signal: AbortSignal): Promise<string> {
      const info = await http.json({ url: `${baseUrl}/info`, signal, idleMs: factIdleMs }).then(
        (answer) => infoSchema.safeParse(answer).data,
        (error) => {
          if (error instanceof EngineError && error.status === 404) return undefined; // before 1.5
          throw error;
        },
      );
      path = info ? '/synthesize' : '/';
      if (voice === undefined) return info?.voice.name ?? 'piper';
      const voices = voicesSchema.safeParse(
        await http.json({ url: `${baseUrl}/voices`, signal, idleMs: factIdleMs }),
      );
      if (voices.success && Object.hasOwn(voices.data, voice)) return voice;
      const has = Object.keys(voices.data ?? {}).join(', ');
      throw new EngineError('tts', 'refused', { detail: `it has ${has || 'no voice'}, not ${voice}` });
    },

    /** A sentence to sound; null when there is nothing in it to say. Throws EngineError. */
    async speak({ text, lengthScale, signal }: SpeechRequest): Promise<Pcm | null> {
      const words = speakable(text);
      if (words === '') return null;
      const chunks: Buffer[] = [];
      const bytes = http.stream({
        url: `${baseUrl}${path}`,
        method: 'POST',
        // Without this type Piper does not read the text and fails.
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          text: words,
          ...(voice !== undefined && { voice }),
          ...(lengthScale !== undefined && { length_scale: lengthScale }),
        }),
        signal,
        idleMs: firstAnswerMs + words.length * perCharacterMs,
      });
      for await (const chunk of bytes) chunks.push(chunk);
      // It labels its sound text/html, so only the bytes tell success.
      const sound = readWav(Buffer.concat(chunks));
      if (!sound) throw new EngineError('tts', 'broken', { detail: 'the answer is no 16-bit mono WAV' });
      return sound;
    },
  };
}

/** What Piper can speak of a text: double brackets would be read as phonemes, and a text without a letter or digit makes it fail. */
function speakable(text: string): string {
  const words = text.replaceAll(/\[\[|\]\]/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return '';
  if (words.length <= mostSpokenCharacters) return words;
  throw new EngineError('tts', 'refused', { detail: `${words.length} characters at once are too many` });
}
