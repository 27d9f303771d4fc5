import {
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { createBoundedFetch } from './bounded-fetch.ts';

/** A tool server configured by the household: an address, or a program that the worker starts. */
export interface McpAddress {
  name: string;
  url?: string | undefined;
  command?: string | undefined;
  args?: readonly string[] | undefined;
}

/** A tool as its server describes it: untrusted text, limited in size. */
export interface McpTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, unchanged. */
  schema: Readonly<Record<string, unknown>>;
}

/** A tool's result. `isError`: the tool reports its own failure. */
export interface McpResult {
  text: string;
  isError: boolean;
}

/** How a call failed: no connection, a timeout, or an invalid answer. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly failure: 'unreachable' | 'timeout' | 'broken';

  constructor(failure: McpError['failure'], cause?: unknown) {
    super(`mcp: ${failure}`, { cause });
    this.failure = failure;
  }
}

/** Maximum size of one message, page or answer; a model could not read more. */
const maxBytes = 4 * 1024 * 1024;
/** The client drops a server that floods it with messages, before that takes the worker's time. */
const maxMessages = { count: 500, withinMs: 5_000 };
const maxTools = 32;
const maxPages = 4;
const maxDescription = 600;
const maxSchemaBytes = 4_000;
const maxText = 20_000;

const toolSchema = z.object({
  name: z.string().min(1).max(128),
  description: z.string().default(''),
  inputSchema: z.looseObject({ type: z.literal('object') }),
});

const contentSchema = z.object({ type: z.string(), text: z.string().optional() });

export interface McpConnection {
  tools: readonly McpTool[];
  /** Throws McpError. */
  call(name: string, args: Record<string, unknown>, limits: CallLimits): Promise<McpResult>;
  /** Fires when the connection has ended. */
  ended: AbortSignal;
  close(): Promise<void>;
}

interface CallLimits {
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * Connects to a server and lists its tools. A started program gets only PATH from our environment. Throws
 * McpError.
 */
export async function connectMcp(address: McpAddress, limits: CallLimits): Promise<McpConnection> {
  const ended = new AbortController();
  const client = new Client(
    { name: 'hearth', version: '1' },
    {
      capabilities: {},
      listMaxPages: maxPages,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(5_000, limits.timeoutMs) } },
      // The answer is text for a model, so nothing validates it; we never compile a stranger's schema.
      jsonSchemaValidator: unchecked,
    },
  );
  const transport = transportTo(address);
  const close = async () => {
    ended.abort();
    await client.close().catch(() => undefined);
  };
  client.onclose = () => ended.abort();
  try {
    await client.connect(transport, { signal: limits.signal, timeout: limits.timeoutMs });
    guard(transport, close);
    const { tools } = await client.listTools(undefined, {
      signal: limits.signal,
      timeout: limits.timeoutMs,
    });
    return { tools: readTools(tools), ended: ended.signal, close, call: callOn(client, ended.signal, close) };
  } catch (error) {
    await close();
    limits.signal.throwIfAborted();
    throw new McpError(isTimeout(error) ? 'timeout' : 'unreachable', error);
  }
}

/**
 * Calls end with their connection. A call without an answer closes the connection, because its state is
 * unknown.
 */
function callOn(client: Client, ended: AbortSignal, close: () => Promise<void>): McpConnection['call'] {
  return async (name, args, { signal, timeoutMs }) => {
    if (ended.aborted) throw new McpError('unreachable');
    try {
      const result = client.callTool(
        { name, arguments: args },
        { signal: AbortSignal.any([signal, ended]), timeout: timeoutMs, maxTotalTimeout: timeoutMs },
      );
      return readResult(await result);
    } catch (error) {
      if (isRefusal(error)) return { text: '', isError: true };
      const wasEnded = ended.aborted;
      void close();
      signal.throwIfAborted();
      if (isTimeout(error)) throw new McpError('timeout', error);
      throw new McpError(wasEnded ? 'unreachable' : 'broken', error);
    }
  };
}

function transportTo({ url, command, args = [] }: McpAddress): Transport {
  if (command !== undefined)
    return new StdioClientTransport({
      command,
      args: [...args],
      stderr: 'ignore',
      maxBufferSize: maxBytes,
    });
  return new StreamableHTTPClientTransport(new URL(url ?? ''), {
    fetch: createBoundedFetch({ maxBytes }),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  });
}

/** Closes a connection that sends too many unsolicited messages. */
function guard(transport: Transport, close: () => Promise<void>): void {
  const receive = transport.onmessage;
  let count = 0;
  let since = 0;
  transport.onmessage = (message, extra) => {
    const now = performance.now();
    if (now - since > maxMessages.withinMs) {
      since = now;
      count = 0;
    }
    count += 1;
    if (count > maxMessages.count) void close();
    else receive?.(message, extra);
  };
}

function readTools(found: readonly unknown[]): McpTool[] {
  return found.slice(0, maxTools).flatMap((each) => {
    const { data: tool } = toolSchema.safeParse(each);
    if (!tool || JSON.stringify(tool.inputSchema).length > maxSchemaBytes) return [];
    const description = tool.description.slice(0, maxDescription);
    return [{ name: tool.name, description, schema: tool.inputSchema }];
  });
}

function readResult(result: { content: readonly unknown[]; isError?: boolean | undefined }): McpResult {
  const parts = result.content.slice(0, 100).map((part) => {
    const { data } = contentSchema.safeParse(part);
    return data?.text ?? (data ? `(${data.type})` : '');
  });
  return { text: parts.join('\n').slice(0, maxText), isError: result.isError === true };
}

const unchecked: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown) =>
      isTaken<T>(input)
        ? { valid: true, data: input, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: '' },
};

/** The library requires a result schema; we treat every result as text. */
function isTaken<T>(_input: unknown): _input is T {
  return true;
}

/** The server refused the call: it is alive. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ProtocolError';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'REQUEST_TIMEOUT';
}
