import { Agent, request } from 'undici';
import { z } from 'zod';
import { checkResponse } from './contract-check.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: unknown;
  ms: number;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';
  headers?: Record<string, string>;
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  body?: unknown;
  signal?: AbortSignal;
}

export type Caller = ReturnType<typeof createCaller>;

/** An HTTP client that checks every response against openapi.yaml. */
export function createCaller(address: string) {
  const agent = new Agent({ connections: 256, pipelining: 1 });

  const call = async (path: string, options: CallOptions = {}): Promise<Answer> => {
    const { body, headers, signal, method = body === undefined ? 'GET' : 'POST' } = options;
    const begunAt = performance.now();
    const response = await request(`${address}${path}`, {
      dispatcher: agent,
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: toBody(body),
      ...(signal && { signal }),
    });
    const text = await response.body.text();
    const answer = {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: json(text),
      ms: performance.now() - begunAt,
    };
    checkResponse({ method, path, ...answer });
    return answer;
  };

  return {
    call,
    /** Asks a question; the answer may be an error. */
    ask: (
      text: string,
      more: { client?: string; room?: string; language?: string } = {},
      options: CallOptions = {},
    ) => call('/ask', { ...options, body: { text, ...more } }),
    /** Sends a recording; the answer may be an error. */
    voice: (recording: Buffer, more: Record<string, string> = {}, options: CallOptions = {}) =>
      call(`/voice?${new URLSearchParams(more)}`, {
        ...options,
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', ...options.headers },
        body: recording,
      }),
    health: async () => healthSchema.parse((await call('/health')).body),
    close: () => agent.close(),
  };
}

const engineSchema = z.looseObject({ state: z.string(), reason: z.string().nullable() });
const healthSchema = z.looseObject({
  status: z.string(),
  engines: z.object({ llm: engineSchema, stt: engineSchema, tts: engineSchema }),
  redis: z.object({ state: z.string(), reason: z.string().nullable() }),
  warnings: z.array(z.strictObject({ name: z.string(), message: z.string(), advice: z.string() })),
  workers: z.number(),
  in_flight: z.object({ turns: z.number() }),
});

function toBody(body: unknown): string | Buffer | null {
  if (body === undefined) return null;
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Status and code of an error, the only parts that programs read. */
export function errorOf({ status, body }: Answer): { status: number; code: string } {
  const { error } = z.object({ error: z.object({ code: z.string() }) }).parse(body);
  return { status, code: error.code };
}

/** The text of the reply to a question. */
export function replyOf({ status, body, text }: Answer): string {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return z.object({ reply: z.string() }).parse(body).reply;
}

/** Duration of each part of an answer, in ms, from its `Server-Timing` header. */
export function timingOf({ headers }: Answer): Map<string, number> {
  const header = String(headers['server-timing']);
  return new Map(
    header.split(', ').map((part) => {
      const [name = '', dur] = part.split(';dur=');
      return [name, Number(dur)];
    }),
  );
}
