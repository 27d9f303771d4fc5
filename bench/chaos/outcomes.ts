/**
 * How a call of the load ended. `broken`: the socket broke; `hung`: no answer within the limit of every turn
 * plus five seconds.
 */
export interface Outcome {
  what: string;
  kind: 'answered' | 'refused' | 'broken' | 'hung';
  status: number;
  code: string;
  message: string;
  reply: string;
  atMs: number;
  tookMs: number;
  client: string;
  /** The word in the question that the answer must repeat. */
  mark: string;
}

/** Every turn ends within a minute. */
const hungMs = 66_000;

interface Call {
  what: string;
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object | Buffer;
  client?: string;
  mark?: string;
  signal?: AbortSignal;
}

/** Makes the call and returns how it ended; never throws. */
export async function call(
  url: string,
  { what, path, method, body, client = '', mark = '', signal }: Call,
): Promise<Outcome> {
  const atMs = performance.now();
  const end = (more: Partial<Outcome> & Pick<Outcome, 'kind'>): Outcome => ({
    ...{ what, status: 0, code: '', message: '', reply: '', atMs, client, mark },
    ...{ tookMs: performance.now() - atMs },
    ...more,
  });
  const limit = AbortSignal.timeout(hungMs);
  try {
    const answer = await fetch(`${url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: Buffer.isBuffer(body)
        ? { 'content-type': 'application/octet-stream' }
        : { 'content-type': 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined
        ? {}
        : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.ok) return end({ kind: 'answered', status: answer.status, reply: text });
    return end({ kind: 'refused', status: answer.status, ...errorIn(text) });
  } catch (error) {
    if (limit.aborted) return end({ kind: 'hung' });
    return end({ kind: 'broken', code: causeOf(error), message: String(error) });
  }
}

function errorIn(text: string): { code: string; message: string } {
  try {
    const parsed: unknown = JSON.parse(text);
    const error =
      typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed.error : undefined;
    if (typeof error !== 'object' || error === null) return { code: '', message: text };
    return {
      code: 'code' in error ? String(error.code) : '',
      message: 'message' in error ? String(error.message) : text,
    };
  } catch {
    return { code: '', message: text };
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'broken';
}

/** Starts with a capital, ends with a full stop, and reveals no internals. */
export function isPlainSentence(message: string): boolean {
  return /^[A-Z"].* .*[.!?]$/s.test(message) && !/\bat \S+:\d+|ECONN|undefined|\[object|Error:/.test(message);
}
