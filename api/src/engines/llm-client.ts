import { z } from 'zod';
import { type EngineClient, EngineError, parseAnswer } from './engine-client.ts';
import { createLifeSign } from './life-sign.ts';
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

/** On two cores a long prompt is read in batches of a second or two; silence much beyond that is a hang. */
const maxSilenceMs = 30_000;
const factIdleMs = 5_000;

/** A token is a few letters, seldom a dozen: a server that sends much more than it may does not heed the limit, and would never end. */
const maxLettersPerToken = 64;

const slotsSchema = z.array(z.object({ id: z.number().int(), n_prompt_tokens: z.number().default(0) }));

interface LlmClientOptions {
  http: EngineClient;
  baseUrl: string;
  apiKey?: string | undefined;
  /** The model to ask for, as it is wished for now; the server's only one where none is. */
  model?: () => string | null | undefined;
  /** Longest silence of a server that is to answer. */
  answerIdleMs?: number | undefined;
}

export type LlmClient = ReturnType<typeof createLlmClient>;

/** One language model server with OpenAI's chat interface: llama.cpp's in full, any other by the common part. */
export function createLlmClient(options: LlmClientOptions) {
  const { http, baseUrl, apiKey, model: wished, answerIdleMs = maxSilenceMs } = options;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  let facts: LlmFacts | undefined;
  /** The server has said so itself, which only a call finds out. */
  let refusesTools = false;
  let names: readonly string[] = [];
  const lifeSign = createLifeSign({ http, url: `${baseUrl}/v1/models` });

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
      // llama.cpp answers this beside its work, under full load too.
      ...(known.isLlamaCpp ? { lifeSign: { url: `${baseUrl}/health` } } : lifeSign.asked),
    });
    // Between two words of an answer any server may look up from its work.
    const answered = lifeSign.watch();
    try {
      yield* readAnswer(tellingFirst(bytes, answered), request.maxTokens * maxLettersPerToken);
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

  /** Undefined for another kind of server: it has no such address, or a page there. */
  const propsThere = (signal: AbortSignal): Promise<LlamaCppProps | undefined> =>
    get('/props', signal).then(
      (answer) => propsSchema.safeParse(answer).data,
      (error) => {
        if (error instanceof EngineError && (error.status !== undefined || error.failure === 'broken'))
          return undefined;
        throw error;
      },
    );

  /** Asks the server what it is. Throws EngineError when it cannot answer yet, or has no such model. */
  async function discover(signal: AbortSignal): Promise<LlmFacts> {
    const { data } = parseAnswer('llm', modelsSchema, await get('/v1/models', signal));
    names = data.map(({ id }) => id);
    const found = modelToAsk(data, wished?.() ?? null);
    const told = factsOf(found, await propsThere(signal));
    facts = refusesTools ? { ...told, callsTools: false } : told;
    return facts;
  }

  return {
    chat,
    discover,

    /** The models that the server had at the last look. */
    get options(): readonly string[] {
      return names;
    },

    /** The facts that the last look found. */
    get facts(): LlmFacts | undefined {
      return facts;
    },

    /** Slots of llama.cpp that have not read any prompt yet; none when the server has no such list. */
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

/** The same bytes; `isHere` is called before the first of them. */
async function* tellingFirst(bytes: AsyncIterable<Buffer>, isHere: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    isHere();
    yield chunk;
  }
}
