import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const callSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string() }) }),
]);

const messageSchema = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.union([z.string(), z.array(partSchema).min(1)]),
    tool_calls: z.array(callSchema).min(1).optional(),
    tool_call_id: z.string().optional(),
  })
  .transform(({ content, ...message }) => {
    if (typeof content === 'string') return { ...message, content };
    const pictures = content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
    const words = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return { ...message, content: words.join(''), pictures };
  });

const toolSchema = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string(),
    parameters: z.looseObject({ type: z.literal('object') }),
  }),
});

const bodySchema = z.looseObject({
  tools: z.array(toolSchema).min(1).optional(),
  messages: z.array(messageSchema),
  stream: z.boolean(),
  max_tokens: z.number(),
  id_slot: z.number().optional(),
});

/** One request for an answer, as the engine received it. */
export interface ChatCall {
  body: z.infer<typeof bodySchema>;
  headers: IncomingMessage['headers'];
  /** The newest user message, context line included. */
  newest: string;
  /** The text after the context line. */
  question: string;
  /** Results of the tools called for this question, in order. */
  results: readonly string[];
  /** Tools and all messages as the model reads them, which the prompt cache compares. */
  prompt: string;
  /** Fires when the caller hangs up before the answer has ended. */
  gone: AbortSignal;
}

/** How the engine plays its answer. */
export type Play = (wire: Wire, call: ChatCall) => Promise<void> | void;

/** llama-server's stream, piece by piece. */
export interface Wire {
  response: ServerResponse;
  /** The first chunk: a role and a content of null. */
  begin(): void;
  delta(delta: Record<string, unknown>): void;
  event(data: unknown): void;
  comment(): void;
  /** The end: finish reason, then usage in a chunk without choices. */
  end(finish?: 'stop' | 'length' | 'tool_calls'): void;
}

interface FakeLlmOptions {
  slots?: number;
  contextTokens?: number;
  /**
   * Acts as another server with OpenAI's interface: it reveals nothing about itself and refuses unknown
   * fields.
   */
  foreign?: boolean;
  /** Whether its chat template supports tools; unset if it does not report that. */
  tools?: boolean;
  /** Whether it has a projector for pictures. */
  sees?: boolean;
  /** The names of its models. */
  models?: string[];
  /** The reply to a question: words, or a way to play them. */
  answers?: (call: ChatCall) => string | Play;
  /** Time for each piece when its speed is measured. */
  paceMs?: number;
}

/** The start of the request that measures its speed. */
const measuring = '1, 2, 3,';
const countsOn = '13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28';

export type FakeLlm = Awaited<ReturnType<typeof startFakeLlm>>;

/** A server that speaks llama.cpp's own protocol on a real socket. */
export async function startFakeLlm({
  slots = 2,
  contextTokens = 4_096,
  foreign = false,
  tools,
  sees = false,
  models = ['local'],
  answers = () => 'Yes.',
  paceMs = 0,
}: FakeLlmOptions = {}) {
  const calls: ChatCall[] = [];
  const warmUps: ChatCall[] = [];
  const waiting: (() => void)[] = [];
  let currentAnswers = answers;
  let isLoading = false;
  let busy = 0;
  let maxAsked = 0;
  let left = 0;

  /** If every slot is busy, a request waits silently: no headers, no pings. */
  const takeSlot = async () => {
    maxAsked = Math.max(maxAsked, busy + waiting.length + 1);
    if (busy >= slots) await new Promise<void>((free) => waiting.push(free));
    busy += 1;
  };
  const leaveSlot = () => {
    busy -= 1;
    waiting.shift()?.();
  };

  const refusalOf = ({ body }: ChatCall): Refusal | null => {
    if (foreign && ('cache_prompt' in body || 'id_slot' in body)) return badRequest('unknown field');
    if (foreign && tools === false && body.tools)
      return badRequest('registry.ollama.ai/library/local:latest does not support tools');
    return brokenCall(body.messages) ?? badPicture(body.messages, sees);
  };

  const isMeasure = ({ question }: ChatCall) => question.startsWith(measuring);
  const isWarmUp = ({ body }: ChatCall) => body.max_tokens === 1;
  const answerTo = (call: ChatCall): string | Play => {
    if (isMeasure(call)) return says(countsOn, { intervalMs: paceMs });
    return isWarmUp(call) ? 'Hi' : currentAnswers(call);
  };

  const chat = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await readCall(request, response);
    if (!isMeasure(call)) (isWarmUp(call) ? warmUps : calls).push(call);
    call.gone.addEventListener('abort', () => {
      left += 1;
    });
    const tokens = tokensOf(call.prompt);
    const refusal = refusalOf(call) ?? (tokens > contextTokens ? tooLong(tokens, contextTokens) : null);
    if (refusal) return refuse(response, refusal);
    await takeSlot();
    try {
      if (call.gone.aborted) return;
      const answer = answerTo(call);
      await (typeof answer === 'string' ? says(answer) : answer)(wireTo(response, tokens), call);
    } finally {
      leaveSlot();
    }
  };

  const facts = (path: string): unknown => {
    const architecture = { input_modalities: sees ? ['text', 'image'] : ['text'] };
    if (path === '/v1/models')
      return { data: models.map((id) => ({ id, owned_by: 'llamacpp', ...(!foreign && { architecture }) })) };
    if (foreign) return undefined;
    if (path === '/health') return { status: 'ok' };
    if (path === '/props')
      return {
        total_slots: slots,
        default_generation_settings: { n_ctx: contextTokens },
        modalities: { vision: sees, audio: false },
        ...(tools !== undefined && {
          chat_template_caps: { supports_tools: tools, supports_tool_calls: tools },
        }),
      };
    if (path === '/slots') return Array.from({ length: slots }, (_, id) => ({ id, n_prompt_tokens: 0 }));
    return undefined;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (isLoading) {
      return refuse(response, {
        status: 503,
        body: { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
      });
    }
    if (request.method === 'POST' && request.url === '/v1/chat/completions') return chat(request, response);
    const found = facts(request.url ?? '');
    if (found === undefined) {
      return refuse(response, {
        status: 404,
        body: { error: { message: 'File Not Found', type: 'not_found_error', code: 404 } },
      });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Calls for a single token, which only make the engine read the prompt. */
    warmUps,
    answers(next: (call: ChatCall) => string | Play) {
      currentAnswers = next;
    },
    /** The calls for this question. */
    callsFor: (question: string) => calls.filter((call) => call.question === question),
    load: (on: boolean) => {
      isLoading = on;
    },
    /** Number of answers in progress. */
    get busy() {
      return busy;
    },
    /** Maximum number of simultaneous requests, running or waiting. */
    get maxAsked() {
      return maxAsked;
    },
    /** Number of calls whose caller hung up early. */
    get left() {
      return left;
    },
    stop,
    /** Listens again at the same address. */
    start: async () => {
      if (!server.listening) await listen(port);
    },
  };
}

/** Streams the words in pieces of a few characters. */
export function says(text: string, { intervalMs = 0, thinking = '' } = {}): Play {
  return async (wire, { gone }) => {
    wire.begin();
    if (thinking) wire.delta({ reasoning_content: thinking });
    for (const piece of text.match(/[\s\S]{1,7}/gu) ?? []) {
      if (intervalMs > 0) await delay(intervalMs);
      if (gone.aborted) return;
      wire.delta({ content: piece });
    }
    wire.end();
  };
}

/** A tool call as a test writes it. Its arguments are JSON, or any text from the model. */
export type Wanted = [name: string, args?: unknown];

interface CallsOptions {
  /** Words before the calls. */
  before?: string;
  finish?: 'stop' | 'length' | 'tool_calls';
}

/** Calls tools, each in pieces: first a name with its id, then its arguments bit by bit. */
export function calls(
  wanted: readonly Wanted[],
  { before = '', finish = 'tool_calls' }: CallsOptions = {},
): Play {
  return (wire) => {
    wire.begin();
    if (before) wire.delta({ content: before });
    wanted.forEach(([name, args = {}], index) => {
      const words = typeof args === 'string' ? args : JSON.stringify(args);
      const id = `call-${index}-${name}`;
      wire.delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const piece of words.match(/[\s\S]{1,5}/gu) ?? [])
        wire.delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    });
    wire.end(finish);
  };
}

/** Delays the first bytes of the answer. */
export function saysAfter(waitMs: number, text: string): Play {
  return async (wire, call) => {
    await delay(waitMs, undefined, { signal: call.gone }).catch(() => undefined);
    if (!call.gone.aborted) await says(text)(wire, call);
  };
}

/** Sends nothing until the caller hangs up. */
export const hangs: Play = (_wire, { gone }) => untilAborted(gone);

/** Begins an answer and then falls silent. */
export const stalls: Play = async (wire, { gone }) => {
  wire.begin();
  wire.delta({ content: 'Well' });
  await untilAborted(gone);
};

/** Reads the prompt forever: it sends progress and comments, but no words. */
export const onlyPings: Play = async (wire, { gone }) => {
  while (!gone.aborted) {
    wire.comment();
    wire.event({
      choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }],
      prompt_progress: { total: 1000, cache: 0, processed: 500, time_ms: 10 },
    });
    await delay(20);
  }
};

/** Never ends. */
export const babbles: Play = async (wire, { gone }) => {
  wire.begin();
  for (let from = 0; !gone.aborted; from += 50) {
    wire.delta({ content: Array.from({ length: 50 }, (_, index) => `and ${from + index} `).join('') });
    await delay(1);
  }
};

/** Repeats itself up to its distant limit. */
export const circles: Play = async (wire, { gone }) => {
  wire.begin();
  wire.delta({ content: 'Boil it. ' });
  while (!gone.aborted) {
    wire.delta({ content: 'You can use a pan. ' });
    await delay(1);
  }
};

/** Dies in the middle of the answer. */
export const dies: Play = async (wire) => {
  wire.begin();
  wire.delta({ content: 'The capital' });
  await delay(20);
  wire.response.destroy();
};

/** Ends the HTTP stream properly, but without an end of the answer. */
export const breaksOff: Play = (wire) => {
  wire.begin();
  wire.delta({ content: 'The capital' });
  wire.response.end();
};

/** Reports a failure as an event, after the status 200. */
export const failsMidway: Play = (wire) => {
  wire.begin();
  wire.delta({ content: 'The' });
  wire.event({ error: { code: 500, message: 'secret path /models/llm.gguf', type: 'server_error' } });
  wire.response.end();
};

/** Sends something other than an answer. */
export function sends(status: number, contentType: string, body: string): Play {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': contentType }).end(body);
  };
}

async function readCall(request: IncomingMessage, response: ServerResponse): Promise<ChatCall> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished && !response.errored) gone.abort();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
  const asked = body.messages.findLastIndex(({ role }) => role === 'user');
  const newest = body.messages[asked]?.content ?? '';
  return {
    body,
    headers: request.headers,
    newest,
    question: newest.replace(/^\(It is .*?\.\) /s, ''),
    results: body.messages
      .slice(asked + 1)
      .flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
    prompt: `${body.tools ? JSON.stringify(body.tools) : ''}${body.messages.map(asRead).join('')}`,
    gone: gone.signal,
  };
}

function asRead({ role, content, tool_calls: calls }: z.infer<typeof messageSchema>): string {
  const called = (calls ?? []).map(({ function: { name, arguments: words } }) => `<|call|>${name}${words}`);
  return `<|${role}|>${content}${called.join('')}`;
}

/** If one call in the history is not JSON, the real server refuses every further request. */
function brokenCall(messages: readonly z.infer<typeof messageSchema>[]): Refusal | null {
  const calls = messages.flatMap(({ tool_calls: found }) => found ?? []);
  const isBroken = calls.some(({ function: { arguments: words } }) => {
    try {
      return typeof JSON.parse(words) !== 'object';
    } catch {
      return true;
    }
  });
  const message = 'Failed to parse tool call arguments as JSON';
  return isBroken ? { status: 500, body: { error: { code: 500, message, type: 'server_error' } } } : null;
}

/**
 * The real server's errors about pictures: no projector, or invalid bytes. It fetches pictures from
 * addresses.
 */
function badPicture(messages: readonly z.infer<typeof messageSchema>[], sees: boolean): Refusal | null {
  const pictures = messages.flatMap((message) => ('pictures' in message ? message.pictures : []));
  if (pictures.length === 0) return null;
  if (!sees) {
    const message =
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';
    return { status: 500, body: { error: { code: 500, message, type: 'server_error' } } };
  }
  const isReadable = pictures.every((url) => /^data:image\/\w+;base64,(iVBOR|\/9j\/|R0lG|Qk)/.test(url));
  return isReadable ? null : badRequest('Failed to load image or audio file');
}

function wireTo(response: ServerResponse, promptTokens: number): Wire {
  let answerTokens = 0;
  const event = (data: unknown) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  const delta = (delta: Record<string, unknown>) => {
    answerTokens += 1;
    event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] });
  };
  return {
    response,
    event,
    delta,
    begin: () => delta({ role: 'assistant', content: null }),
    comment: () => response.write(':\n\n'),
    end: (finish = 'stop') => {
      event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
      event({
        choices: [],
        usage: {
          prompt_tokens: promptTokens,
          completion_tokens: answerTokens,
          prompt_tokens_details: { cached_tokens: 0 },
        },
      });
      response.end('data: [DONE]\n\n');
    },
  };
}

interface Refusal {
  status: number;
  body: unknown;
}

function refuse(response: ServerResponse, { status, body }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function badRequest(message: string): Refusal {
  return { status: 400, body: { error: { message } } };
}

function tooLong(tokens: number, contextTokens: number): Refusal {
  return {
    status: 400,
    body: {
      error: {
        code: 400,
        type: 'exceed_context_size_error',
        message: 'the request exceeds the available context size, try increasing it',
        n_prompt_tokens: tokens,
        n_ctx: contextTokens,
      },
    },
  };
}

/** Roughly matches a real tokenizer's count for English. */
export function tokensOf(prompt: string): number {
  return Math.ceil(Buffer.byteLength(prompt) / 4);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
