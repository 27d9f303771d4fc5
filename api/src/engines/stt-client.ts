import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { type EngineClient, EngineError, parseAnswer } from './engine-client.ts';

export interface TranscriptionRequest {
  sound: Pcm;
  /** Sentences as the household says them, then what is there now: the model takes it for what was said before. */
  prompt?: string;
  /** Another model of the server than its first; null is that one. */
  model?: string | null;
  /** ISO 639-1; left out, the server decides. */
  language?: string;
  /** RFC 9218, 0 to 7: somebody who waits for an answer comes before a recording that can wait. */
  urgency?: number;
  /** Our own server's: only the quick look, in which what is doubtful is left out. Others pass it over. */
  window?: 'short';
  signal: AbortSignal;
}

/** How sure the model was of one stretch. Servers that do not tell leave the scores out. */
export interface ScoredSegment {
  text: string;
  /** Probability from 0 to 1 that nobody spoke. */
  noSpeechProb: number | null;
  /** Mean logarithm of the probability of its words; under -1 is a guess. */
  avgLogprob: number | null;
  /** How many times smaller zlib makes it; above 2.4 it repeats itself. */
  compressionRatio: number | null;
}

export interface Transcription {
  text: string;
  segments: ScoredSegment[];
  language: string | null;
  /** Why our own server looked twice, or heard nothing: `low_confidence` is a guess; null from other servers. */
  reason: string | null;
}

const factIdleMs = 5_000;
/** A model comes from the internet once, and may take that long. */
const fetchIdleMs = 60 * 60_000;
/** One decode of a cold model on a slow machine, and a second for each second of sound. */
const firstAnswerMs = 15_000;

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string(), task: z.string().nullish() })) });

const transcriptionSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        text: z.string(),
        no_speech_prob: z.number().nullish(),
        avg_logprob: z.number().nullish(),
        compression_ratio: z.number().nullish(),
      }),
    )
    .nullish(),
  hearth: z.object({ reason: z.string().nullish() }).nullish(),
});

interface SttClientOptions {
  http: EngineClient;
  baseUrl: string;
  /** The model to ask for, as it is wished for now; the server's first one where none is. */
  model?: () => string | null | undefined;
}

export type SttClient = ReturnType<typeof createSttClient>;

/** One server with OpenAI's transcription route: our own, speaches, or any other. */
export function createSttClient({ http, baseUrl, model: wished }: SttClientOptions) {
  let names: readonly string[] = [];
  let found: string | undefined;
  let fetching: Promise<unknown> | undefined;
  /** It is our own server, which answers `/health` beside its work; not every other does. */
  let isOwn = false;

  const listModels = async (signal: AbortSignal) => {
    const answer = await http.json({ url: `${baseUrl}/v1/models`, signal, idleMs: factIdleMs });
    return parseAnswer('stt', modelsSchema, answer).data.filter(
      ({ task }) => !task || task === 'automatic-speech-recognition',
    );
  };

  /** speaches brings a model only when asked to, and says nothing until it is there. */
  const fetchModel = (name: string) => {
    const path = name.split('/').map(encodeURIComponent).join('/');
    const call = { url: `${baseUrl}/v1/models/${path}`, method: 'POST', idleMs: fetchIdleMs } as const;
    const signal = AbortSignal.timeout(fetchIdleMs);
    fetching ??= drain(http.stream({ ...call, signal, accepts: [200, 201] })).finally(() => {
      fetching = undefined;
    });
    return fetching;
  };

  return {
    /** Finds the model, and has the server bring it where it can. Throws EngineError; `downloading` while the model is on its way. */
    async findModel(signal: AbortSignal): Promise<string> {
      const listed = await listModels(signal);
      names = listed.map(({ id }) => id);
      const model = wished?.() ?? undefined;
      const match = model === undefined ? listed[0] : listed.find(({ id }) => id === model);
      if (match) {
        found = match.id;
        return found;
      }
      if (model === undefined) {
        // Our own server lists its model when that is warm, and says until then that it loads it.
        await drain(http.stream({ url: `${baseUrl}/health`, signal, idleMs: factIdleMs }));
        throw new EngineError('stt', 'refused', { detail: 'it has no model; STT_MODEL names one to fetch' });
      }
      const fetched = fetchModel(model);
      const waiting = Symbol('waiting');
      const soon = new Promise<typeof waiting>((resolve) => setTimeout(resolve, 1_000, waiting));
      if ((await Promise.race([fetched, soon])) === waiting) {
        fetched.catch(() => undefined); // told by the next look
        throw new EngineError('stt', 'downloading', { detail: model });
      }
      found = model;
      return found;
    },

    /** The models that the server had at the last look. */
    get options(): readonly string[] {
      return names;
    },

    /** Sound to words. Throws EngineError. */
    async transcribe({
      sound,
      prompt,
      language,
      urgency,
      window,
      model,
      signal,
    }: TranscriptionRequest): Promise<Transcription> {
      const seconds = sound.samples.length / 2 / sound.sampleRateHz;
      const form = multipart(
        {
          model: model ?? found ?? wished?.() ?? 'whisper-1',
          response_format: 'verbose_json',
          ...(prompt && { prompt }),
          ...(language && { language }),
          ...(window && { window }),
        },
        writeWav(sound),
      );
      const answer = await http.json({
        url: `${baseUrl}/v1/audio/transcriptions`,
        method: 'POST',
        headers: { 'content-type': form.type, ...(urgency !== undefined && { priority: `u=${urgency}` }) },
        body: form.body,
        signal,
        idleMs: firstAnswerMs + seconds * 1_000,
        ...(isOwn && { lifeSign: { url: `${baseUrl}/health` } }),
      });
      const { text, segments, language: spoken, hearth } = parseAnswer('stt', transcriptionSchema, answer);
      isOwn = Boolean(hearth);
      return {
        text: text.trim(),
        language: spoken ?? null,
        reason: hearth?.reason ?? null,
        segments: (segments ?? []).map((segment) => ({
          text: segment.text.trim(),
          noSpeechProb: segment.no_speech_prob ?? null,
          avgLogprob: segment.avg_logprob ?? null,
          compressionRatio: segment.compression_ratio ?? null,
        })),
      };
    },
  };
}

/** A form with one WAV file in it. Written by hand: the bytes are there already, and a body of one piece is sent at once. */
function multipart(fields: Record<string, string>, wav: Buffer): { type: string; body: Buffer } {
  const boundary = `hearth-${randomUUID()}`;
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`);
  const file = `${part('name="file"; filename="speech.wav"')}content-type: audio/wav\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes) {
    // only the end matters
  }
}
