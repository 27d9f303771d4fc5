import {
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { createBoundedFetch } from './bounded-fetch.ts';

/** A server of tools that the household has named: at an address, or a program that the worker starts. */
export interface McpAddress {
  name: string;
  url?: string | undefined;
  command?: string | undefined;
  args?: readonly string[] | undefined;
}

/** A tool as its server describes it: words of a stranger, within bounds. */
export interface McpTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, as it came. */
  schema: Readonly<Record<string, unknown>>;
}

/** A tool's answer. `isError`: it says itself that it failed. */
export interface McpResult {
  text: string;
  isError: boolean;
}

/** How a call failed: nobody there, no answer in time, or something that is no answer. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly failure: 'unreachable' | 'timeout' | 'broken';

  constructor(failure: McpError['failure'], cause?: unknown) {
    super(`mcp: ${failure}`, { cause });
    this.failure = failure;
  }
}

/** One message, one page, one answer: whoever sends more has nothing to say that a model could read. */
const maxBytes = 4 * 1024 * 1024;
/** A server that talks without being asked is let go before it takes the worker's time. */
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
  /** Fires when the connection is over. */
  ended: AbortSignal;
  close(): Promise<void>;
}

interface CallLimits {
  signal: AbortSignal;
  timeoutMs: number;
}

/** Connects to a server and asks for its tools. A program is started with nothing of our own environment but where programs are. Throws McpError. */
export async function connectMcp(address: McpAddress, limits: CallLimits): Promise<McpConnection> {
  const ended = new AbortController();
  const client = new Client(
    { name: 'hearth', version: '1' },
    {
      capabilities: {},
      listMaxPages: maxPages,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(5_000, limits.timeoutMs) } },
      // The answer is text for a model, checked nowhere but there; a stranger's schema is not compiled here.
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

/** Calls end with their connection, and a connection on which a call had no answer ends with the call: nobody knows what it does. */
function callOn(client: Client, ended: AbortSignal, close: () => Promise<void>): McpConnection['call'] {
  return async (name, args, { signal, timeoutMs }) => {
    if (ended.aborted) throw new McpError('unreachable');
    try {
      const asked = client.callTool(
        { name, arguments: args },
        { signal: AbortSignal.any([signal, ended]), timeout: timeoutMs, maxTotalTimeout: timeoutMs },
      );
      return readResult(await asked);
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

/** Lets a connection go that sends more messages than anybody asked for. */
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

/** The library wants to be told what a result is; to us it is text, whatever it calls itself. */
function isTaken<T>(_input: unknown): _input is T {
  return true;
}

/** The server's own no: it lives, and does not want to do that. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ProtocolError';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'REQUEST_TIMEOUT';
}
