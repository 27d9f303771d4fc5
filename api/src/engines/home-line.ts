import { WebSocket } from 'undici';
import { z } from 'zod';

/** Home Assistant sends us no longer messages by default. */
const usualMostCharacters = 1024 * 1024;

export type HomeCommand = Readonly<Record<string, unknown>>;

const messageSchema = z.object({
  id: z.number().optional(),
  type: z.string(),
  success: z.boolean().optional(),
  result: z.unknown().optional(),
  event: z.unknown().optional(),
  error: z.object({ code: z.string() }).optional().catch(undefined),
});

/** Home Assistant refused a command. Its own words are left out: they may repeat the spoken sentence. */
export class RefusedCommand extends Error {
  override readonly name = 'RefusedCommand';
  /** Such as `unknown_command`; '' for none. */
  readonly code: string;

  constructor(code: string) {
    super('the command failed');
    this.code = code;
  }
}

/** Home Assistant rejects the token. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken';

  constructor() {
    super('the token is refused');
  }
}

export interface HomeLineOptions {
  /** Home Assistant's address. */
  baseUrl: string;
  token: string;
  /** Maximum message length in characters; a longer message closes the connection. */
  maxCharacters?: number;
  onClose?: (reason: unknown) => void;
}

/** One connection to Home Assistant. */
export interface HomeLine {
  /**
   * Sends a command and resolves with its result. For `ping`: resolves when everything sent before its answer
   * has arrived.
   */
  ask(command: HomeCommand, signal: AbortSignal): Promise<unknown>;
  /** Sends a command and then reports each of its events. */
  subscribe(command: HomeCommand, onEvent: (event: unknown) => void, signal: AbortSignal): Promise<unknown>;
  isOpen(): boolean;
  close(): void;
}

/** Opens one connection. Any failure closes it for good, including an answer that is late. */
export function openHomeLine({
  baseUrl,
  token,
  maxCharacters = usualMostCharacters,
  onClose,
}: HomeLineOptions): HomeLine {
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/api/websocket`);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listening = new Map<number, (event: unknown) => void>();
  const authorized = Promise.withResolvers<void>();
  // Each command reports this error; without a waiting command it must not crash the process.
  authorized.promise.catch(() => undefined);
  let [isOpen, lastId] = [true, 0];

  const fail = (error: unknown) => {
    if (!isOpen) return;
    isOpen = false;
    authorized.reject(error);
    for (const pending of waiting.values()) pending.reject(error);
    waiting.clear();
    listening.clear();
    socket.close();
    onClose?.(error);
  };
  const onMessage = (text: string) => {
    const message = messageSchema.parse(JSON.parse(text));
    const { id = 0, type, success = type === 'pong', result, event, error } = message;
    if (type === 'auth_required') return socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    if (type === 'auth_ok') return authorized.resolve();
    if (type === 'auth_invalid') throw new RefusedToken();
    // An event that arrives before its listener is registered is dropped.
    if (type === 'event') return listening.get(id)?.(event);
    const pending = waiting.get(id);
    if ((type !== 'result' && type !== 'pong') || !pending) throw new Error(`the answer is ${type}`);
    waiting.delete(id);
    return success ? pending.resolve(result) : pending.reject(new RefusedCommand(error?.code ?? ''));
  };

  socket.addEventListener('message', ({ data }) => {
    try {
      if (typeof data !== 'string' || data.length > maxCharacters)
        throw new Error('a message of another kind');
      onMessage(data);
    } catch (error) {
      fail(error);
    }
  });
  socket.addEventListener('error', () => fail(new Error('the socket broke')));
  socket.addEventListener('close', () => fail(new Error('the socket was closed')));

  const ask = async (
    command: HomeCommand,
    signal: AbortSignal,
    onEvent?: (event: unknown) => void,
  ): Promise<unknown> => {
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await authorized.promise;
      const answered = Promise.withResolvers<unknown>();
      lastId += 1;
      waiting.set(lastId, answered);
      if (onEvent) listening.set(lastId, onEvent);
      socket.send(JSON.stringify({ id: lastId, ...command }));
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    ask: (command, signal) => ask(command, signal),
    subscribe: (command, onEvent, signal) => ask(command, signal, onEvent),
    isOpen: () => isOpen,
    close: () => fail(new Error('the socket is no longer needed')),
  };
}
