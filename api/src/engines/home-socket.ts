import { WebSocket } from 'undici';
import { z } from 'zod';

/** A message beyond this is not one of ours. */
const mostMessageCharacters = 1024 * 1024;
/** Nobody has asked anything for so long: the connection is not worth keeping. */
const idleMs = 60_000;

interface HomeSocketOptions {
  baseUrl: string;
  token: string;
}

type Command = Readonly<Record<string, unknown>>;

/** Home Assistant's websocket. */
export interface HomeSocket {
  /** Sends a command and resolves with its result. Only for commands that do nothing: one whose connection broke is sent again, once. */
  ask(command: Command, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

const messageSchema = z.object({
  id: z.number().optional(),
  type: z.string(),
  success: z.boolean().optional(),
  result: z.json().optional(),
});

/** One connection for all commands: to open one costs more than to be answered. It is opened when it is needed, and closed when it is not. */
export function createHomeSocket({ baseUrl, token }: HomeSocketOptions): HomeSocket {
  const url = `${baseUrl.replace(/^http/, 'ws')}/api/websocket`;
  let kept: Line | null = null;
  let idle: NodeJS.Timeout | undefined;

  const close = () => {
    clearTimeout(idle);
    kept?.close();
    kept = null;
  };
  const fresh = (): Line => {
    close();
    kept = openLine(url, token);
    return kept;
  };
  const talk = async (command: Command, signal: AbortSignal): Promise<unknown> => {
    const reused = kept?.isOpen() ? kept : null;
    try {
      return await (reused ?? fresh()).ask(command, signal);
    } catch (error) {
      if (!reused || reused.isOpen() || signal.aborted) throw error;
      return await fresh().ask(command, signal);
    }
  };

  return {
    async ask(command, signal) {
      signal.throwIfAborted();
      clearTimeout(idle);
      try {
        return await talk(command, signal);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(close, idleMs).unref();
      }
    },
    close,
  };
}

interface Line {
  ask(command: Command, signal: AbortSignal): Promise<unknown>;
  isOpen(): boolean;
  close(): void;
}

/** One connection. It is over for good with whatever goes wrong on it, also with an answer that does not come in time. */
function openLine(url: string, token: string): Line {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const authorized = Promise.withResolvers<void>();
  // Whoever asks hears of it; nobody may be asking.
  authorized.promise.catch(() => undefined);
  let [isOpen, lastId] = [true, 0];

  const fail = (error: unknown) => {
    if (!isOpen) return;
    isOpen = false;
    authorized.reject(error);
    for (const asked of waiting.values()) asked.reject(error);
    waiting.clear();
    socket.close();
  };
  const hear = (text: string) => {
    const { id = 0, type, success, result } = messageSchema.parse(JSON.parse(text));
    if (type === 'auth_required') return socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    if (type === 'auth_ok') return authorized.resolve();
    const asked = waiting.get(id);
    if (type !== 'result' || !asked) throw new Error(`the answer is ${type}`);
    waiting.delete(id);
    return success ? asked.resolve(result) : asked.reject(new Error('the answer is no success'));
  };

  socket.addEventListener('message', ({ data }) => {
    try {
      if (typeof data !== 'string' || data.length > mostMessageCharacters)
        throw new Error('a message of another kind');
      hear(data);
    } catch (error) {
      fail(error);
    }
  });
  socket.addEventListener('error', () => fail(new Error('the socket broke')));
  socket.addEventListener('close', () => fail(new Error('the socket was closed')));

  return {
    async ask(command, signal) {
      const onAbort = () => fail(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        await authorized.promise;
        const asked = Promise.withResolvers<unknown>();
        lastId += 1;
        waiting.set(lastId, asked);
        socket.send(JSON.stringify({ id: lastId, ...command }));
        return await asked.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    isOpen: () => isOpen,
    close: () => fail(new Error('the socket is not needed any more')),
  };
}
