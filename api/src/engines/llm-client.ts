import { z } from 'zod';
import { type EngineClient, EngineError, parseAnswer } from './engine-client.ts';
import { type ChatEvent, readAnswer } from './llm-answer.ts';
import type { ToolCall, ToolSpec } from './tool-calls.ts';

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  /** `calls`: what it wanted done, each answered by a message of the role tool. */
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string };

export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** What the model may call. They stand first in its prompt: the same, in the same order, every time. */
  tools?: readonly ToolSpec[];
  /** Another model of the server than its first; null is that one. */
  model?: string | null;
  /** Longest answer, in tokens. */
  mostTokens: number;
  /** 0: always the likeliest words. */
  temperature?: number;
  /** The slot of llama.cpp that holds this conversation's cache. */
  slot?: number;
  signal: AbortSignal;
}

/** What a language model server is and can do. */
export interface LlmFacts {
  /** The name to send as `model`. */
  model: string;
  /** llama.cpp understands slots, prompt progress and template options; others refuse fields that they do not know. */
  isLlamaCpp: boolean;
  /** Requests that it works on at once. */
  slots: number;
  /** Tokens that one request may hold, question and answer together. */
  contextTokens: number;
  /** What the server tells of its model's file: another file may have the same name. */
  fingerprint: string;
  /** Whether its model knows how to call tools; null when the server does not tell. */
  callsTools: boolean | null;
  /** It serves the model that our own list names. */
  isOwn: boolean;
}

/** What is assumed of a server that does not tell. Ollama's default context is the smallest among the common ones. */
const unknownServer = { slots: 2, contextTokens: 4_096 };

/** On two cores a long prompt is read in batches of a second or two; silence much beyond that is a hang. */
const mostSilenceMs = 30_000;
const factIdleMs = 5_000;

/** What services/llm calls the model that it serves, whichever file is behind it. */
const ownModel = 'local';

/** A token is a few letters, seldom a dozen: a server that sends much more than it may does not heed the limit, and would never end. */
const mostLettersPerToken = 64;

const modelsSchema = z.object({
  data: z.array(
    z.object({ id: z.string(), meta: z.looseObject({ n_ctx_train: z.number().optional() }).nullish() }),
  ),
});

const propsSchema = z.object({
  total_slots: z.number().int().min(1),
  default_generation_settings: z.object({ n_ctx: z.number().int().min(1) }),
  chat_template_caps: z
    .object({ supports_tools: z.boolean().nullish(), supports_tool_calls: z.boolean().nullish() })
    .nullish(),
});

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
  const { http, baseUrl, apiKey, model: wished, answerIdleMs = mostSilenceMs } = options;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  let facts: LlmFacts | undefined;
  /** The server has said so itself, which only a call finds out. */
  let refusesTools = false;
  let names: readonly string[] = [];

  const get = (path: string, signal: AbortSignal) =>
    http.json({ url: `${baseUrl}${path}`, headers, signal, idleMs: factIdleMs });

  /** Streams an answer. Throws EngineError; ending the iteration stops the engine. */
  async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent> {
    const known = facts ?? (await discover(request.signal));
    const body = JSON.stringify({
      model: named(request.model ?? null, names) ?? known.model,
      // First, as it is in the prompt; none at all for a model that may call none.
      ...(request.tools?.length && { tools: request.tools.map(wireTool) }),
      messages: request.messages.map(wireMessage),
      stream: true,
      stream_options: { include_usage: true },
      temperature: request.temperature ?? 0,
      max_tokens: request.mostTokens,
      ...(known.isLlamaCpp && {
        cache_prompt: true,
        ...(request.tools?.length && { parallel_tool_calls: true }),
        // Progress while a prompt is read makes the engine notice a closed connection between two batches.
        return_progress: true,
        chat_template_kwargs: { enable_thinking: false },
        ...(request.slot !== undefined && { id_slot: request.slot }),
      }),
    });
    const bytes = http.stream({
      url: `${baseUrl}/v1/chat/completions`,
      method: 'POST',
      headers,
      body,
      signal: request.signal,
      idleMs: answerIdleMs,
      // llama.cpp answers this beside its work, under full load too.
      ...(known.isLlamaCpp && { lifeSign: { url: `${baseUrl}/health` } }),
    });
    try {
      yield* readAnswer(bytes, request.mostTokens * mostLettersPerToken);
    } catch (error) {
      if (request.tools?.length && isToolRefusal(error)) {
        refusesTools = true;
        facts = { ...known, callsTools: false };
      }
      throw error;
    }
  }

  /** Asks the server what it is. Throws EngineError when it cannot answer yet, or has no such model. */
  async function discover(signal: AbortSignal): Promise<LlmFacts> {
    const { data } = parseAnswer('llm', modelsSchema, await get('/v1/models', signal));
    names = data.map(({ id }) => id);
    const model = wished?.() ?? null;
    const wanted = named(model, names) ?? names[0];
    const found = data.find(({ id }) => id === wanted);
    if (!found) {
      const has = names.join(', ') || 'no model at all';
      throw new EngineError('llm', 'refused', {
        detail: model ? `it has ${has}, not ${model}` : `it has ${has}`,
      });
    }
    const props = await get('/props', signal).then(
      (answer) => propsSchema.safeParse(answer).data,
      (error) => {
        // Another kind of server: it has no such address, or a page there.
        if (error instanceof EngineError && (error.status !== undefined || error.failure === 'broken'))
          return undefined;
        throw error;
      },
    );
    facts = {
      model: found.id,
      isLlamaCpp: props !== undefined,
      slots: props?.total_slots ?? unknownServer.slots,
      // A slot may be larger than what the model was trained to read.
      contextTokens: Math.min(
        props?.default_generation_settings.n_ctx ?? unknownServer.contextTokens,
        found.meta?.n_ctx_train ?? Number.POSITIVE_INFINITY,
      ),
      fingerprint: JSON.stringify(found.meta ?? null),
      callsTools: !refusesTools && callsTools(props),
      isOwn: props !== undefined && found.id === ownModel,
    };
    return facts;
  }

  return {
    chat,
    discover,

    /** The models that the server had at the last look. */
    get options(): readonly string[] {
      return names;
    },

    /** What the last look found. */
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

function callsTools(props: z.infer<typeof propsSchema> | undefined): boolean | null {
  const caps = props?.chat_template_caps;
  return caps ? (caps.supports_tools ?? false) && (caps.supports_tool_calls ?? false) : null;
}

function wireTool(spec: ToolSpec) {
  return { type: 'function', function: spec };
}

function wireMessage(message: ChatMessage) {
  if (message.role === 'tool')
    return { role: message.role, tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  if (role !== 'assistant' || !message.calls?.length) return { role, content };
  const calls = message.calls.map(({ id, name, arguments: words }) => ({
    id,
    type: 'function',
    function: { name, arguments: words },
  }));
  return { role, content, tool_calls: calls };
}

/** A model as the server calls it: Ollama adds a tag to names without one. Null where no name was wished for. */
function named(model: string | null, names: readonly string[]): string | null {
  return model === null ? null : (names.find((name) => name === `${model}:latest`) ?? model);
}
