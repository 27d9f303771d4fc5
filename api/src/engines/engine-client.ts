import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher, errors, request } from 'undici';
import type { z } from 'zod';
import { startAwakeLimit } from '../awake-limit.ts';
import type { EngineName } from '../status/engine-status.ts';

/**
 * How an engine failed. `refused`: the engine rejected this request (4xx); a retry would not help. `timeout`:
 * this answer took too long. `hung`: the server does not answer the liveness check either. `silent`: we
 * skipped the call, because the server has stayed silent since an earlier one.
 */
export type EngineFailure =
  | 'unreachable'
  | 'downloading'
  | 'loading'
  | 'busy'
  | 'refused'
  | 'broken'
  | 'timeout'
  | 'hung'
  | 'silent';

/** A program that we call: an engine, the home system, or the model fetcher. */
type Outside = EngineName | 'home' | 'fetcher';

/**
 * A failed call. `detail` holds the engine's own text and goes only to the log: it may hold addresses and
 * paths.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly engine: Outside;
  readonly failure: EngineFailure;
  readonly status: number | undefined;
  readonly detail: string | undefined;

  constructor(
    engine: Outside,
    failure: EngineFailure,
    more: { status?: number; detail?: string; cause?: unknown } = {},
  ) {
    super(`${engine}: ${failure}${more.status ? ` (${more.status})` : ''}`, { cause: more.cause });
    this.engine = engine;
    this.failure = failure;
    this.status = more.status;
    this.detail = more.detail;
  }
}

/** Whether a server gave neither an answer nor a refusal. Another call would wait just as long. */
export function keptSilent({ failure, cause }: EngineError): boolean {
  return failure === 'timeout' || failure === 'hung' || cause instanceof errors.ConnectTimeoutError;
}

export interface EngineCall {
  url: string;
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Statuses that count as success; defaults to 200. */
  accepts?: readonly number[];
  /** For calls that must not run twice: they use a separate connection and are never retried. */
  isOnce?: true;
  signal: AbortSignal;
  /** Maximum wait for the first byte, and between two bytes. */
  idleMs: number;
  /**
   * A call that the server answers at once, even under load. The client gives up on a silent server that does
   * not answer it.
   */
  livenessProbe?: { url: string; afterMs?: number; withinMs?: number };
}

/** Silence after which the client checks that the server is alive, and the time limit for that check. */
const silentMs = 3_000;
const probeMs = 5_000;
/** Maximum size of an error body or a JSON answer. */
const maxAnswerBytes = 1024 * 1024;

interface EngineConnection {
  /** The Unix socket the server listens on; the address then has no port. */
  socket?: string | undefined;
}

export type EngineClient = ReturnType<typeof createEngineClient>;

/**
 * The only network client for one engine. It pools connections, aborts unwanted calls and classifies every
 * failure.
 */
export function createEngineClient(engine: Outside, { socket }: EngineConnection = {}) {
  // Undici's own timeouts are coarse and too long for a conversation; the signals below replace them.
  const limits = {
    connections: 32,
    keepAliveTimeout: 30_000,
    connect: { timeout: 2_000, ...(socket !== undefined && { socketPath: socket }) },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const kept = new Agent({ ...limits, pipelining: 1 });
  /** Opens a new connection for every call. */
  const fresh = new Agent({ ...limits, pipelining: 0 });

  /**
   * Sends the request and yields the body as it arrives. Ending the iteration early closes the connection,
   * which stops the engine.
   */
  async function* stream(call: EngineCall): AsyncGenerator<Buffer> {
    const idle = idleWatch(call.idleMs);
    const liveness = watchLiveness(call.livenessProbe, probe);
    const signal = AbortSignal.any([call.signal, idle.signal, liveness.signal]);
    const alive = () => {
      idle.alive();
      liveness.alive();
    };
    try {
      const { method = 'GET', headers = {}, body = null, accepts = [200] } = call;
      const send = (dispatcher: Agent) => request(call.url, { dispatcher, method, headers, body, signal });
      const answer = await send(call.isOnce ? fresh : kept).catch((error: unknown) => {
        if (brokeConnection(error) && !call.isOnce) return send(fresh);
        throw error;
      });
      alive();
      if (!accepts.includes(answer.statusCode)) throw await refusal(engine, answer);
      for await (const chunk of answer.body) {
        alive();
        yield chunk;
      }
    } catch (error) {
      call.signal.throwIfAborted();
      if (liveness.signal.aborted) throw new EngineError(engine, 'hung', { cause: error });
      throw toEngineError(engine, error, idle.signal.aborted);
    } finally {
      idle.stop();
      liveness.stop();
    }
  }

  /** Resolves on any answer: even an error shows that the server lives. */
  const probe = async (url: string, signal: AbortSignal): Promise<void> => {
    const { body } = await request(url, { dispatcher: kept, signal });
    await body.dump({ limit: maxAnswerBytes, signal });
  };

  return {
    stream,
    probe,

    /** Sends the request and reads a whole JSON answer of limited size. */
    async json(call: EngineCall): Promise<unknown> {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream(call)) {
        size += chunk.length;
        if (size > maxAnswerBytes)
          throw new EngineError(engine, 'broken', { detail: 'the answer is too large' });
        chunks.push(chunk);
      }
      try {
        return JSON.parse(Buffer.concat(chunks).toString());
      } catch (error) {
        throw new EngineError(engine, 'broken', { detail: 'the answer is not JSON', cause: error });
      }
    },

    /** Closes idle connections and gives running calls a moment to end. */
    close: () =>
      Promise.race([kept.close(), delay(1_000, undefined, { ref: false }).then(() => kept.destroy())]),
  };
}

/**
 * Whether the connection broke before the first byte of an answer. A server may close a kept-alive connection
 * at any time (llama-server: after 100 requests). The next request may already be on its way, so the client
 * sends it once more. A server that is down refuses the second connection at once.
 */
function brokeConnection(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return error instanceof errors.SocketError || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Parses an engine's answer with the schema. Throws EngineError. */
export function parseAnswer<T>(engine: Outside, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new EngineError(engine, 'broken', { detail: 'the answer has another shape', cause: parsed.error });
}

/** Aborts after `idleMs` without data. */
function idleWatch(idleMs: number) {
  const controller = new AbortController();
  const { again: alive, stop } = startAwakeLimit(idleMs, () => controller.abort());
  return { signal: controller.signal, alive, stop };
}

/** Checks after each silent period that the server is alive. Aborts if it is not. */
function watchLiveness(
  probed: EngineCall['livenessProbe'],
  probe: (url: string, signal: AbortSignal) => Promise<void>,
) {
  const lost = new AbortController();
  if (!probed) return { signal: lost.signal, alive: () => undefined, stop: () => undefined };
  const { url, afterMs = silentMs, withinMs = probeMs } = probed;
  let over = new AbortController();
  const timer = setTimeout(async () => {
    over = new AbortController();
    const { signal } = over;
    const late = new AbortController();
    const limit = startAwakeLimit(withinMs, () => late.abort());
    const lives = await probe(url, AbortSignal.any([signal, late.signal])).then(
      () => true,
      () => false,
    );
    limit.stop();
    if (signal.aborted) return;
    if (lives) timer.refresh();
    else lost.abort();
  }, afterMs);
  const stop = () => {
    over.abort();
    clearTimeout(timer);
  };
  return {
    signal: lost.signal,
    alive: () => {
      over.abort();
      timer.refresh();
    },
    stop,
  };
}

async function refusal(engine: Outside, answer: Dispatcher.ResponseData): Promise<EngineError> {
  const { statusCode: status } = answer;
  const detail = await readStart(answer.body);
  if (status === 503) return new EngineError(engine, 'loading', { status, detail });
  if (status === 429) return new EngineError(engine, 'busy', { status, detail });
  return new EngineError(engine, status >= 400 && status < 500 ? 'refused' : 'broken', { status, detail });
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > 2_000) break;
  }
  return text.slice(0, 2_000);
}

function toEngineError(engine: Outside, error: unknown, wasIdle: boolean): EngineError {
  if (error instanceof EngineError) return error;
  if (wasIdle) return new EngineError(engine, 'timeout', { cause: error });
  if (error instanceof errors.ConnectTimeoutError || (error instanceof Error && 'syscall' in error)) {
    return new EngineError(engine, 'unreachable', { cause: error });
  }
  // The connection broke mid-answer: the engine died or did not speak HTTP.
  return new EngineError(engine, error instanceof errors.SocketError ? 'unreachable' : 'broken', {
    cause: error,
  });
}
