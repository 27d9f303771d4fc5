import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { readWav } from '../audio/wav.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

export interface SpeechRequest {
  /** A sentence, or a little more: Piper begins to answer only when it has spoken all of it. */
  text: string;
  /** Another voice of the server than its own; null is that one. */
  voice?: string | null;
  /** Speaking time relative to the voice's own: above 1 is slower. */
  lengthScale?: number;
  signal: AbortSignal;
}

/** Piper has no limit of its own, and a long text would block everybody else. */
export const maxSpokenCharacters = 500;

const factIdleMs = 5_000;
/** Somebody may wait for a voice that was just downloaded, but each is listed with all that Piper knows of it. */
const listEveryMs = 10_000;
/** Measured at under 1 ms a character; fifty times that is a hang. */
const firstAnswerMs = 5_000;
const perCharacterMs = 50;

/** Two minutes at the highest rate of any voice, far more than the longest text takes, however slowly it is spoken. */
const maxSoundBytes = 16 * 1024 * 1024;

const infoSchema = z.object({ voice: z.object({ name: z.string() }) });
const voicesSchema = z.record(z.string(), z.unknown());

interface TtsClientOptions {
  http: EngineClient;
  baseUrl: string;
  /** The voice to speak with, as it is wished for now; the server's own where none is. */
  voice?: () => string | null | undefined;
}

export type TtsClient = ReturnType<typeof createTtsClient>;

/** One Piper HTTP server (piper-tts 1.3 to 1.7). */
export function createTtsClient({ http, baseUrl, voice: wished }: TtsClientOptions) {
  let names: readonly string[] = [];
  let own = 'piper';
  let listedAt = Number.NEGATIVE_INFINITY;
  /** Since 1.5 speech is made at /synthesize; before, at /, which now is a page. */
  let path: '/synthesize' | '/' = '/synthesize';

  const listVoices = async (signal: AbortSignal): Promise<void> => {
    if (performance.now() - listedAt < listEveryMs) return;
    const voices = voicesSchema.safeParse(
      await http.json({ url: `${baseUrl}/voices`, signal, idleMs: factIdleMs }),
    );
    names = Object.keys(voices.data ?? {});
    listedAt = performance.now();
  };

  return {
    /** The server's own voice. */
    get own(): string {
      return own;
    },

    /** The voices that the server had at the last look. */
    get options(): readonly string[] {
      return names;
    },

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
      own = info?.voice.name ?? own;
      const voice = wished?.() ?? undefined;
      if (voice === undefined) {
        await listVoices(signal).catch(() => undefined); // it speaks without telling what else it could speak with
        return own;
      }
      if (!names.includes(voice)) listedAt = Number.NEGATIVE_INFINITY;
      await listVoices(signal);
      if (names.includes(voice)) return voice;
      const has = names.join(', ');
      throw new EngineError('tts', 'refused', { detail: `it has ${has || 'no voice'}, not ${voice}` });
    },

    /** A sentence to sound; null when there is nothing in it to say. Throws EngineError. */
    async speak({ text, lengthScale, signal, ...wish }: SpeechRequest): Promise<Pcm | null> {
      const voice = wish.voice ?? wished?.() ?? undefined;
      const words = speakable(text);
      if (words === '') return null;
      const chunks: Buffer[] = [];
      let size = 0;
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
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > maxSoundBytes) throw new EngineError('tts', 'broken', { detail: 'the sound has no end' });
        chunks.push(chunk);
      }
      // It labels its sound text/html, so only the bytes tell success.
      const sound = readWav(Buffer.concat(chunks));
      if (!sound) throw new EngineError('tts', 'broken', { detail: 'the answer is no 16-bit mono WAV' });
      return sound;
    },
  };
}

/** The part of a text that Piper can speak: double brackets would be read as phonemes, and a text without a letter or digit makes it fail. */
function speakable(text: string): string {
  const words = text.replaceAll(/\[\[|\]\]/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return '';
  if (words.length <= maxSpokenCharacters) return words;
  throw new EngineError('tts', 'refused', { detail: `${words.length} characters at once are too many` });
}
