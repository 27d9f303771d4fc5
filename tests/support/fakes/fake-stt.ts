import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { readWav } from '../../../api/src/audio/wav.ts';
import { readAll, readForm } from '../clients/multipart.ts';
import { listenAgain, listenOnFreePort, whenGone } from '../servers/listen.ts';

/** One sound that was sent for transcription. */
export interface SttCall {
  form: Record<string, string>;
  /** The sound that was sent; null unless it is a 16-bit mono WAV. */
  sound: Pcm | null;
  priority: string | undefined;
  /** The caller asked for an English translation. */
  translates: boolean;
  /** Fires when the caller hangs up before the answer. */
  gone: AbortSignal;
}

/** The transcript of a sound: its words (null for silence) and the server's confidence. */
export interface SttTranscript {
  text: string | null;
  noSpeechProb?: number;
  avgLogprob?: number;
  compressionRatio?: number;
  /** Our own server's details about the transcription; other servers send none. */
  hearth?: Record<string, unknown>;
  /** A server that returns only words, without scores. */
  bare?: boolean;
}

/** Plays an answer that is more than a transcript. */
type PlayTranscript = (response: ServerResponse, call: SttCall) => Promise<void> | void;

type SttAnswer =
  | string
  | null
  | SttTranscript
  | ((call: SttCall) => string | null | SttTranscript | PlayTranscript);

interface FakeSttOptions {
  /** Models in its cache. */
  installed?: string[];
  /**
   * Its transcript of any sound, fixed, chosen by call, or in turn (`inTurn`). `null` is silence: no
   * segments, an empty text.
   */
  hears?: SttAnswer;
  /** A running replica that cannot answer: every route returns this status. */
  broken?: number;
}

export type FakeStt = Awaited<ReturnType<typeof startFakeStt>>;

interface Route {
  route: RegExp;
  play: (
    response: ServerResponse,
    call: { request: IncomingMessage; body: Buffer; named: string },
  ) => unknown;
}

/** Recognizes a health check: lowest priority and no prompt. */
const isLook = ({ priority, form }: SttCall) => priority === 'u=7' && form['prompt'] === undefined;

/**
 * A server that behaves like speaches 0.8.3: it never fetches a model itself, and reports that in its own
 * format.
 */
export async function startFakeStt({ installed = [], hears = 'Hello.', broken }: FakeSttOptions = {}) {
  const models = new Set(installed);
  const forms: Record<string, string>[] = [];
  const priorities: (string | undefined)[] = [];
  const calls: SttCall[] = [];
  let answers = hears;
  let languages: string[] | undefined;
  let fetched = 0;
  let busy = 0;
  let maxAsked = 0;
  let left = 0;
  const fetching = Promise.withResolvers<void>();

  const transcribe = async (response: ServerResponse, call: SttCall) => {
    if (!isLook(call)) calls.push(call);
    busy += 1;
    maxAsked = Math.max(maxAsked, busy);
    call.gone.addEventListener('abort', () => {
      left += 1;
    });
    try {
      await playOf(isLook(call) ? null : answers, call)(response, call);
    } finally {
      busy -= 1;
    }
  };

  const routes: Route[] = [
    {
      route: /^GET \/v1\/models$/,
      play: (response) => {
        const about = { object: 'model', task: 'automatic-speech-recognition', language: languages };
        const data = [...models].map((id) => ({ id, ...about }));
        answer(response, 200, { data: [...data, { id: 'a-voice', task: 'text-to-speech' }], object: 'list' });
      },
    },
    { route: /^GET \/health$/, play: (response) => response.end('OK') },
    {
      route: /^POST \/v1\/models\/(.+)$/,
      play: async (response, { named }) => {
        fetched += 1;
        await fetching.promise;
        const isNew = !models.has(named);
        models.add(named);
        response.writeHead(isNew ? 200 : 201, { 'content-type': 'text/plain' });
        response.end(`Model '${named}' ${isNew ? 'downloaded' : 'already exists'}`);
      },
    },
    {
      route: /^POST \/v1\/audio\/(transcriptions|translations)$/,
      play: (response, { request, body, named }) => {
        const { fields: form, file } = readForm(request, body);
        const priority = request.headers['priority']?.toString();
        forms.push(form);
        priorities.push(priority);
        const refused = refusal(form['model'], { models, file });
        if (refused) return answer(response, refused.status, { detail: refused.detail });
        const call = { form, sound: readWav(file), priority, translates: named === 'translations' };
        return transcribe(response, { ...call, gone: whenGone(response) });
      },
    },
  ];

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readAll(request);
    if (broken) return answer(response, broken, { detail: 'broken' });
    const asked = `${request.method} ${request.url}`;
    for (const { route, play } of routes) {
      const match = route.exec(asked);
      if (match) return await play(response, { request, body, named: decodeURIComponent(match[1] ?? '') });
    }
    return answer(response, 404, { detail: 'Not Found' });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  const url = await listenOnFreePort(server);

  return {
    url,
    /** Every received form, including those of health checks. */
    forms,
    priorities,
    /** The sounds sent for transcription. */
    calls,
    hears(next: SttAnswer) {
      answers = next;
    },
    /** Its models know these languages. */
    knows(codes: string[]) {
      languages = codes;
    },
    /** Number of requests to fetch a model. */
    get fetched(): number {
      return fetched;
    },
    finishFetch: () => fetching.resolve(),
    /** Number of sounds being transcribed. */
    get busy(): number {
      return busy;
    },
    /** Maximum number of simultaneous requests. */
    get maxAsked(): number {
      return maxAsked;
    },
    /** Number of calls whose caller hung up early. */
    get left(): number {
      return left;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
    /** Listens again at the same address. */
    start: () => listenAgain(server, url),
  };
}

/** Returns the answers in turn; the last one repeats. */
export function inTurn(...answers: (string | null | SttTranscript | PlayTranscript)[]): SttAnswer {
  let next = 0;
  return () => {
    const chosen = answers[Math.min(next, answers.length - 1)];
    next += 1;
    return chosen ?? null;
  };
}

/** Delays the transcript. */
export function hearsAfter(waitMs: number, transcript: string | null | SttTranscript): PlayTranscript {
  return async (response, { gone }) => {
    await delay(waitMs, undefined, { signal: gone }).catch(() => undefined);
    if (!gone.aborted) answer(response, 200, verbose(transcript));
  };
}

/** Returns a status and, if given, the seconds to wait. */
export function failsToHear(status: number, retryAfter?: number): PlayTranscript {
  return (response) => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    answer(response, status, { detail: 'secret path /models/stt' });
  };
}

/** Sends nothing until the caller hangs up. */
export const neverHears: PlayTranscript = async (_response, { gone }) => {
  if (!gone.aborted) await once(gone, 'abort');
};

function playOf(answers: SttAnswer, call: SttCall): PlayTranscript {
  const chosen = typeof answers === 'function' ? answers(call) : answers;
  if (typeof chosen === 'function') return chosen;
  return (response) => answer(response, 200, verbose(chosen));
}

function refusal(
  model: string | undefined,
  { models, file }: { models: Set<string>; file: Buffer },
): { status: number; detail: string } | null {
  if (!models.has(model ?? '')) {
    const detail = `Model '${model}' is not installed locally. You can download the model using \`POST /v1/models\``;
    return { status: 404, detail };
  }
  if (file.subarray(0, 4).toString() === 'RIFF') return null;
  return { status: 415, detail: 'Failed to decode audio. The provided file type is not supported.' };
}

function verbose(transcript: string | null | SttTranscript): unknown {
  const told = typeof transcript === 'string' || transcript === null ? { text: transcript } : transcript;
  const { text, hearth, bare } = told;
  if (bare) return { text: text ?? '' };
  const segment = {
    id: 0,
    start: 0,
    end: 1,
    text: ` ${text}`,
    avg_logprob: told.avgLogprob ?? -0.2,
    compression_ratio: told.compressionRatio ?? 0.9,
    no_speech_prob: told.noSpeechProb ?? 0.02,
  };
  return {
    task: 'transcribe',
    language: 'en',
    duration: 1,
    text: text ?? '',
    segments: text === null ? [] : [segment],
    words: null,
    ...(hearth && { hearth }),
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
