import { setTimeout as delay } from 'node:timers/promises';
import { rejectionOf } from '../abort.ts';
import {
  connectMcp,
  type McpAddress,
  type McpConnection,
  McpError,
  type McpResult,
  type McpTool,
} from './mcp-client.ts';

interface McpTimes {
  connectMs: number;
  /** Maximum time for one tool call. */
  callMs: number;
  /** Pause between two connection attempts: the first, and the maximum. */
  retryMs: number;
  maxRetryMs: number;
}

export const mcpTimes: McpTimes = { connectMs: 15_000, callMs: 15_000, retryMs: 1_000, maxRetryMs: 60_000 };

/**
 * The known state of a server. Its tools stay known while it is offline, because every prompt contains them
 * and must not change.
 */
export interface McpState {
  server: string;
  isConnected: boolean;
  tools: readonly McpTool[];
}

interface McpServersOptions {
  /** The servers that the household has configured now. */
  servers: () => readonly McpAddress[];
  /**
   * A server connected or failed to; `failure` is the reason for the log. The server's own text is left out.
   */
  onChange?: (state: McpState, failure?: string) => void;
  times?: McpTimes;
}

interface CallOptions {
  server: string;
  tool: string;
  args: Record<string, unknown>;
  signal: AbortSignal;
}

export type McpServers = ReturnType<typeof createMcpServers>;

/** Keeps a connection to every configured server until the household removes it. */
export function createMcpServers({ servers, onChange, times = mcpTimes }: McpServersOptions) {
  const kept = new Map<string, ServerEntry>();

  /** Connects new servers and closes removed ones. */
  const follow = (): void => {
    const wanted = new Map(servers().map((address) => [keyOf(address), address]));
    for (const [key, server] of kept) {
      if (wanted.has(key)) continue;
      kept.delete(key);
      void server.stop();
    }
    for (const [key, address] of wanted)
      if (!kept.has(key)) kept.set(key, keepServer({ address, times, ...(onChange && { onChange }) }));
  };

  return {
    follow,

    /** The tools of every server, in configuration order. */
    states(): McpState[] {
      follow();
      return servers().flatMap((address) => kept.get(keyOf(address))?.state() ?? []);
    },

    /** Throws McpError. */
    async call({ server, tool, args, signal }: CallOptions): Promise<McpResult> {
      follow();
      const found = [...kept.values()].find(({ state }) => state().server === server);
      if (!found) throw new McpError('unreachable');
      return found.call(tool, args, signal);
    },

    async stop(): Promise<void> {
      await Promise.all([...kept.values()].map(({ stop }) => stop()));
      kept.clear();
    },
  };
}

interface ServerEntry {
  state(): McpState;
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<McpResult>;
  stop(): Promise<void>;
}

interface KeepOptions {
  address: McpAddress;
  times: McpTimes;
  onChange?: McpServersOptions['onChange'];
}

/** One server: reconnects with growing pauses whenever the connection ends. */
function keepServer({ address, times, onChange }: KeepOptions): ServerEntry {
  const stopped = new AbortController();
  const { signal } = stopped;
  let wake = new AbortController();
  let connection: McpConnection | null = null;
  let tools: readonly McpTool[] = [];

  const state = (): McpState => ({ server: address.name, isConnected: connection !== null, tools });

  const attempt = async (): Promise<boolean> => {
    try {
      connection = await connectMcp(address, { signal, timeoutMs: times.connectMs });
      tools = connection.tools;
      onChange?.(state());
      await rejectionOf(AbortSignal.any([connection.ended, signal])).catch(() => undefined);
      return true;
    } catch (error) {
      if (!signal.aborted) onChange?.(state(), error instanceof McpError ? error.failure : 'broken');
      return false;
    } finally {
      await connection?.close();
      connection = null;
    }
  };

  const run = async () => {
    let pauseMs = times.retryMs;
    while (!signal.aborted) {
      const begunAt = performance.now();
      const wasConnected = await attempt();
      // A server that dies right after its start must not restart in a tight loop.
      const lasted = wasConnected && performance.now() - begunAt > times.maxRetryMs;
      pauseMs = lasted ? times.retryMs : Math.min(pauseMs * 2, times.maxRetryMs);
      wake = new AbortController();
      await delay(pauseMs, undefined, { signal: AbortSignal.any([signal, wake.signal]), ref: false }).catch(
        () => undefined,
      );
    }
  };
  const running = run();

  return {
    state,
    async call(tool, args, callSignal) {
      if (connection === null) {
        wake.abort();
        throw new McpError('unreachable');
      }
      return connection.call(tool, args, { signal: callSignal, timeoutMs: times.callMs });
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

function keyOf({ name, url, command, args }: McpAddress): string {
  return JSON.stringify([name, url, command, args]);
}
