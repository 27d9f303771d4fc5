import type { ReadonlySignal } from '@preact/signals';
import { t } from '../language/translate.ts';

/** The server's refusal or failure, in a sentence for people. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  readonly code: string;
  /** The field with the error. */
  readonly param: string | null;

  constructor({ status, code, message, param }: Failure) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

interface Failure {
  /** 0: no answer. */
  status: number;
  code: string;
  message: string;
  param: string | null;
}

export interface CallOptions {
  method?: string;
  /** Files and forms are sent unchanged, other values as JSON. */
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** 0: no limit, for streams. */
  withinMs?: number;
}

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

interface CallerOptions {
  token: ReadonlySignal<string | null>;
  /** Called when the server requires a token or refuses the sent one. */
  onUnauthorized: (message: string) => void;
}

export type Caller = ReturnType<typeof createCaller>;

const withinMs = 15_000;

/** Calls the server of the page with the token as a header, errors as sentences, and a timeout. */
export function createCaller({ token, onUnauthorized }: CallerOptions) {
  const send = async (path: string, options: CallOptions, used: string | null): Promise<Response> => {
    const { body, method = body === undefined ? 'GET' : 'POST' } = options;
    const request: RequestInit = {
      method,
      headers: headersOf(options, used),
      signal: limitOf(options),
      cache: 'no-store',
      credentials: 'omit',
    };
    const isSent = body instanceof FormData || body instanceof Blob;
    if (body !== undefined) request.body = isSent ? body : JSON.stringify(body);
    try {
      return await fetch(path, request);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new CallError(unreachable(error));
    }
  };
  const open = async (path: string, options: CallOptions = {}): Promise<Response> => {
    const used = token.value;
    const response = await send(path, options, used);
    if (response.ok) return response;
    const failure = await failureOf(response);
    if (failure.status === 401 && token.value === used) onUnauthorized(failure.message);
    throw new CallError(failure);
  };
  return {
    open,
    /** The JSON body; null if it is not JSON. */
    async call(path: string, options: CallOptions = {}): Promise<Answer> {
      const response = await open(path, options);
      const body: unknown = await response.json().catch(() => null);
      return { status: response.status, headers: response.headers, body };
    },
  };
}

function limitOf({ signal, withinMs: most = withinMs }: CallOptions): AbortSignal {
  const limits = [signal, most === 0 ? undefined : AbortSignal.timeout(most)];
  return AbortSignal.any(limits.filter((limit) => limit !== undefined));
}

function headersOf(
  { body, contentType, headers }: CallOptions,
  token: string | null,
): Record<string, string> {
  return {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    // The browser sets the type of a form, which contains its boundary.
    ...(body !== undefined &&
      !(body instanceof FormData) && { 'content-type': contentType ?? 'application/json' }),
    ...headers,
  };
}

function unreachable(error: unknown): Failure {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const message = isLate ? t('Hearth took too long to answer.') : t('Hearth cannot be reached.');
  return { status: 0, code: isLate ? 'timeout' : 'unreachable', message, param: null };
}

async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  const error = fieldOf(body, 'error');
  const text = (name: string) => {
    const value = fieldOf(error, name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const param = text('param');
  return {
    status: response.status,
    code: text('code') ?? 'unknown',
    message: withoutField(
      text('message') ?? t('Hearth answered {status}.', { status: response.status }),
      param,
    ),
    param,
  };
}

/** A message about a field begins with its path, which means nothing to people: "routines.0.name". */
export function withoutField(message: string, param: string | null): string {
  const path = `"${param}" `;
  if (param === null || !message.startsWith(path)) return message;
  return `This ${message.slice(path.length).replace(/^is not valid: /, 'is not valid. ')}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Whether the server sent no answer at all. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallError && error.status === 0;
}

/** A failure in words for the page. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CallError) return error.message;
  return t('Something went wrong in this page. Load it again.');
}
