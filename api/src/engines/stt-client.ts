import { z } from 'zod';
import { durationMs } from '../audio/pcm.ts';
import { type EngineClient, EngineError, parseAnswer } from './engine-client.ts';
import { createLivenessProbe } from './liveness-probe.ts';
import {
  readTranscription,
  type Transcription,
  type TranscriptionRequest,
  transcriptionForm,
} from './stt-transcription.ts';

const factIdleMs = 5_000;
/** A server downloads a model only once, but that may take this long. */
const fetchIdleMs = 60 * 60_000;
const aMomentMs = 1_000;
/** One decode of a cold model on a slow machine, plus a second for each second of sound. */
const firstAnswerMs = 15_000;

const modelsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      task: z.string().nullish(),
      language: z.array(z.string()).nullish().catch(null),
    }),
  ),
});

interface SttClientOptions {
  http: EngineClient;
  baseUrl: string;
  /** The model to request now; if none, the server's first. */
  model?: () => string | null | undefined;
  /** Maximum silence during a decode, plus a second for each second of sound. */
  answerMs?: number;
}

export type SttClient = ReturnType<typeof createSttClient>;

/** One server with OpenAI's transcription route: our own, speaches, or any other. */
export function createSttClient({
  http,
  baseUrl,
  model: wished,
  answerMs = firstAnswerMs,
}: SttClientOptions) {
  let names: readonly string[] = [];
  let found: string | undefined;
  let languages: readonly string[] = [];
  /** This is our own server. */
  let isOwn = false;
  /** The server accepts `auto` as a language. */
  let takesAuto = true;
  const liveness = createLivenessProbe({ http, url: `${baseUrl}/v1/models` });
  const fetchSoon = createModelFetch(http, baseUrl);

  const listModels = async (signal: AbortSignal) => {
    const answer = await http.json({ url: `${baseUrl}/v1/models`, signal, idleMs: factIdleMs });
    return parseAnswer('stt', modelsSchema, answer).data.filter(
      ({ task }) => !task || task === 'automatic-speech-recognition',
    );
  };

  /**
   * The list has no model. Our own server lists its model only once it is warm, and reports that it is
   * loading until then.
   */
  const sayWhyNone = async (signal: AbortSignal): Promise<never> => {
    await drain(http.stream({ url: `${baseUrl}/health`, signal, idleMs: factIdleMs }));
    throw new EngineError('stt', 'refused', { detail: 'it has no model; STT_MODEL names one to fetch' });
  };

  const ask = async (request: TranscriptionRequest): Promise<Transcription> => {
    const { sound, urgency, signal } = request;
    const form = transcriptionForm(request, request.model ?? found ?? wished?.() ?? 'whisper-1');
    const answered = liveness.watch();
    const call = {
      url: `${baseUrl}/v1/audio/${request.translates ? 'translations' : 'transcriptions'}`,
      method: 'POST',
      headers: { 'content-type': form.type, ...(urgency !== undefined && { priority: `u=${urgency}` }) },
      body: form.body,
      signal,
      idleMs: answerMs + durationMs(sound),
      ...(isOwn ? { livenessProbe: { url: `${baseUrl}/health` } } : liveness.callOptions),
    } as const;
    const read = readTranscription(await http.json(call).finally(answered));
    isOwn = read.isOwn;
    return read.transcription;
  };

  return {
    /**
     * Finds the model, and makes the server download it if it can. Throws EngineError; `downloading` while
     * the download runs.
     */
    async findModel(signal: AbortSignal): Promise<string> {
      const models = await listModels(signal);
      names = models.map(({ id }) => id);
      const model = wished?.() ?? names[0] ?? (await sayWhyNone(signal));
      if (!names.includes(model)) await fetchSoon(model);
      found = model;
      languages = models.find(({ id }) => id === model)?.language ?? [];
      return found;
    },

    /** Codes of the languages that the model knew at the last check; empty if unknown. */
    get languages(): readonly string[] {
      return languages;
    },

    /** The models that the server had at the last check. */
    get options(): readonly string[] {
      return names;
    },

    /** Converts sound to words. Throws EngineError. */
    async transcribe(request: TranscriptionRequest): Promise<Transcription> {
      if (request.language !== 'auto') return await ask(request);
      const { language: _, ...unnamed } = request;
      if (!takesAuto) return await ask(unnamed);
      try {
        return await ask(request);
      } catch (error) {
        if (!isMistaken(error)) throw error;
        // OpenAI's interface has no `auto`; without a language the server detects it.
        const transcription = await ask(unnamed);
        takesAuto = false;
        return transcription;
      }
    },
  };
}

/** The server rejected a field of the request. */
export function isMistaken(error: unknown): boolean {
  return error instanceof EngineError && (error.status === 400 || error.status === 422);
}

/**
 * speaches downloads a model only on request, and stays silent until it is there. Throws `downloading` if
 * that takes more than a moment.
 */
function createModelFetch(http: EngineClient, baseUrl: string): (model: string) => Promise<void> {
  let fetching: Promise<unknown> | undefined;
  const begin = (model: string) => {
    const path = model.split('/').map(encodeURIComponent).join('/');
    const call = { url: `${baseUrl}/v1/models/${path}`, method: 'POST', idleMs: fetchIdleMs } as const;
    const signal = AbortSignal.timeout(fetchIdleMs);
    return drain(http.stream({ ...call, signal, accepts: [200, 201] })).finally(() => {
      fetching = undefined;
    });
  };

  return async (model) => {
    fetching ??= begin(model);
    const fetched = fetching;
    const waiting = Symbol('waiting');
    const soon = new Promise<typeof waiting>((resolve) => setTimeout(resolve, aMomentMs, waiting));
    if ((await Promise.race([fetched, soon])) !== waiting) return;
    fetched.catch(() => undefined); // the next check reports it
    throw new EngineError('stt', 'downloading', { detail: model });
  };
}

async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes) {
    // only the end matters
  }
}
