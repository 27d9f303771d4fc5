import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { readWav } from '../audio/wav.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

interface SpeechRequest {
  /** A sentence or slightly more: Piper answers only after it has spoken all of it. */
  text: string;
  /** Another voice of the server; null means its own. */
  voice?: string | null;
  /** Speaking time relative to the voice's default: above 1 is slower. */
  lengthScale?: number;
  signal: AbortSignal;
}

/** Piper has no limit, and a long text would block all other requests. */
const maxSpokenCharacters = 500;

const factIdleMs = 5_000;
/**
 * Short, because a person may wait for a new voice. Not shorter, because Piper's list carries much detail per
 * voice.
 */
const listEveryMs = 10_000;
/** Measured under 1 ms a character; fifty times that means a hang. */
const firstAnswerMs = 5_000;
const perCharacterMs = 50;

/**
 * Two minutes at the highest sample rate of any voice. The longest text takes far less, even at slow speed.
 */
const maxSoundBytes = 16 * 1024 * 1024;

const infoSchema = z.object({ voice: z.object({ name: z.string() }) });
const voicesSchema = z.record(z.string(), z.unknown());

interface TtsClientOptions {
  http: EngineClient;
  baseUrl: string;
  /** The voice to use now; if none, the server's own. */
  voice?: () => string | null | undefined;
}

export type TtsClient = ReturnType<typeof createTtsClient>;

/** One Piper HTTP server (piper-tts 1.3 to 1.7). */
export function createTtsClient({ http, baseUrl, voice: wished }: TtsClientOptions) {
  let names: readonly string[] = [];
  let own = 'piper';
  let listedAt = Number.NEGATIVE_INFINITY;
  /** Since 1.5 the speech route is /synthesize. Before, it was /, which is now a page. */
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

    /** The voices that the server had at the last check. */
    get options(): readonly string[] {
      return names;
    },

    /**
     * Picks the voice to speak with. Throws EngineError, because Piper silently replaces an unknown voice.
     */
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
        await listVoices(signal).catch(() => undefined); // it does not list its other voices
        return own;
      }
      if (!names.includes(voice)) listedAt = Number.NEGATIVE_INFINITY;
      await listVoices(signal);
      if (names.includes(voice)) return voice;
      const has = names.join(', ');
      throw new EngineError('tts', 'refused', { detail: `it has ${has || 'no voice'}, not ${voice}` });
    },

    /** Converts a sentence to sound; null if it has nothing to say. Throws EngineError. */
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
      // Piper labels its sound text/html, so only the bytes show success.
      const sound = readWav(Buffer.concat(chunks));
      if (!sound) throw new EngineError('tts', 'broken', { detail: 'the answer is not a 16-bit mono WAV' });
      return sound;
    },
  };
}

/**
 * The part of a text that Piper can speak. It reads double brackets as phonemes, and fails on a text without
 * a letter or digit.
 */
function speakable(text: string): string {
  const words = text.replaceAll(/\[\[|\]\]/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return '';
  if (words.length <= maxSpokenCharacters) return words;
  throw new EngineError('tts', 'refused', { detail: `${words.length} characters at once are too many` });
}
