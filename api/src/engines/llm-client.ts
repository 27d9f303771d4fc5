import { z } from 'zod';
import { type EngineClient, EngineError, parseAnswer } from './engine-client.ts';
import { createLivenessProbe } from './liveness-probe.ts';
import { type ChatEvent, readAnswer } from './llm-answer.ts';
import {
  factsOf,
  type LlamaCppProps,
  type LlmFacts,
  modelsSchema,
  modelToAsk,
  named,
  propsSchema,
} from './llm-facts.ts';
import { type ChatRequest, chatBody } from './llm-request.ts';

/** On two cores the engine reads a long prompt in batches of 1 to 2 s. Much longer silence is a hang. */
const maxSilenceMs = 30_000;
const factIdleMs = 5_000;

/**
 * A token is a few characters, rarely a dozen. A server that sends far more ignores the limit and would never
 * end.
 */
const maxLettersPerToken = 64;

const slotsSchema = z.array(z.object({ id: z.number().int(), n_prompt_tokens: z.number().default(0) }));

interface LlmClientOptions {
  http: EngineClient;
  baseUrl: string;
  apiKey?: string | undefined;
  /** The model to request now; if none, the server's only one. */
  model?: () => string | null | undefined;
  /** Maximum silence while the server should answer. */
  answerIdleMs?: number | undefined;
  /** Called after an answer with the time between two of its tokens. */
  onPace?: (msPerToken: number) => void;
}

export type LlmClient = ReturnType<typeof createLlmClient>;

/**
 * One language model server with OpenAI's chat interface. Uses all features of llama.cpp, and the common
 * subset of others.
 */
export function createLlmClient(options: LlmClientOptions) {
  const { http, baseUrl, apiKey, model: wished, answerIdleMs = maxSilenceMs, onPace } = options;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  let facts: LlmFacts | undefined;
  /** The server has refused tools; only a call reveals that. */
  let refusesTools = false;
  let names: readonly string[] = [];
  const liveness = createLivenessProbe({ http, url: `${baseUrl}/v1/models` });

  const get = (path: string, signal: AbortSignal) =>
    http.json({ url: `${baseUrl}${path}`, headers, signal, idleMs: factIdleMs });

  /** Streams an answer. Throws EngineError; ending the iteration stops the engine. */
  async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent> {
    const known = facts ?? (await discover(request.signal));
    const model = named(request.model ?? null, names) ?? known.model;
    const bytes = http.stream({
      url: `${baseUrl}/v1/chat/completions`,
      method: 'POST',
      headers,
      body: JSON.stringify(chatBody(request, { ...known, model })),
      signal: request.signal,
      idleMs: answerIdleMs,
      // llama.cpp answers this in parallel, even under full load.
      ...(known.isLlamaCpp ? { livenessProbe: { url: `${baseUrl}/health` } } : liveness.callOptions),
    });
    // Between two words of an answer any server may handle another request.
    const answered = liveness.watch();
    try {
      const answer = readAnswer(tellingFirst(bytes, answered), request.maxTokens * maxLettersPerToken);
      yield* onPace ? timed(answer, onPace) : answer;
    } catch (error) {
      if (request.tools?.length && isToolRefusal(error)) {
        refusesTools = true;
        facts = { ...known, callsTools: false };
      }
      throw error;
    } finally {
      answered();
    }
  }

  /** Undefined for another kind of server: this path is missing there, or is a page. */
  const propsThere = (signal: AbortSignal): Promise<LlamaCppProps | undefined> =>
    get('/props', signal).then(
      (answer) => propsSchema.safeParse(answer).data,
      (error) => {
        if (error instanceof EngineError && (error.status !== undefined || error.failure === 'broken'))
          return undefined;
        throw error;
      },
    );

  /** Asks the server for its facts. Throws EngineError if it is not ready or lacks the model. */
  async function discover(signal: AbortSignal): Promise<LlmFacts> {
    const { data } = parseAnswer('llm', modelsSchema, await get('/v1/models', signal));
    names = data.map(({ id }) => id);
    const found = modelToAsk(data, wished?.() ?? null);
    const read = factsOf(found, await propsThere(signal));
    facts = refusesTools ? { ...read, callsTools: false } : read;
    return facts;
  }

  return {
    chat,
    discover,

    /** The models that the server had at the last check. */
    get options(): readonly string[] {
      return names;
    },

    /** The facts from the last check. */
    get facts(): LlmFacts | undefined {
      return facts;
    },

    /** llama.cpp slots that have not read a prompt yet; empty if the server has no slot list. */
    async coldSlots(signal: AbortSignal): Promise<number[]> {
      if (!facts?.isLlamaCpp) return [];
      const slots = slotsSchema.safeParse(await get('/slots', signal));
      return slots.success ? slots.data.filter((slot) => slot.n_prompt_tokens === 0).map(({ id }) => id) : [];
    },
  };
}

/** Ollama: "does not support tools"; vLLM: "tool choice requires --enable-auto-tool-choice". */
export function isToolRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.status === 400 && /\btools?\b/i.test(error.detail ?? '');
}

/** llama.cpp: "Failed to load image or audio file". */
export function isPictureRefusal(error: unknown): boolean {
  return error instanceof EngineError && /\bimage\b/i.test(error.detail ?? '');
}

/** Minimum number of pieces of an answer to measure the speed. */
const minPieces = 8;

/** Passes the answer on, and reports the time between two of its tokens. */
async function* timed(
  answer: AsyncIterable<ChatEvent>,
  onPace: (msPerToken: number) => void,
): AsyncGenerator<ChatEvent> {
  let [pieces, firstAt, lastAt] = [0, 0, 0];
  for await (const event of answer) {
    if (event.type === 'text') {
      lastAt = performance.now();
      if (pieces === 0) firstAt = lastAt;
      pieces += 1;
    } else if (event.type === 'end' && pieces >= minPieces) {
      const tokens = Math.max(pieces, event.end.answerTokens ?? 0);
      onPace((lastAt - firstAt) / (tokens - 1));
    }
    yield event;
  }
}

/** Passes the bytes on; calls `isHere` before the first chunk. */
async function* tellingFirst(bytes: AsyncIterable<Buffer>, isHere: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    isHere();
    yield chunk;
  }
}
