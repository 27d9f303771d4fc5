import { WebSocket } from 'undici';
import { z } from 'zod';

/** A message beyond this is not one of ours. */
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

/**
 * Home Assistant answered that it will not do a command. Its own words are left out: they may repeat what was
 * said.
 */
export class RefusedCommand extends Error {
  override readonly name = 'RefusedCommand';
  /** As in `unknown_command`; '' for none. */
  readonly code: string;

  constructor(code: string) {
    super('the answer is no success');
    this.code = code;
  }
}

/** Home Assistant does not take the token. */
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
  /** Longest message, in characters; a longer one ends the connection. */
  maxCharacters?: number;
  onClose?: (reason: unknown) => void;
}

/** One connection to Home Assistant. */
export interface HomeLine {
  /**
   * Sends a command and resolves with its result, `ping` as soon as all that was sent before its answer was
   * heard.
   */
  ask(command: HomeCommand, signal: AbortSignal): Promise<unknown>;
  /** The same, and gives each of its events from then on. */
  subscribe(command: HomeCommand, onEvent: (event: unknown) => void, signal: AbortSignal): Promise<unknown>;
  isOpen(): boolean;
  close(): void;
}

/**
 * One connection. It is over for good with whatever goes wrong on it, also with an answer that does not come
 * in time.
 */
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
  // Whoever asks hears of it; nobody may be asking.
  authorized.promise.catch(() => undefined);
  let [isOpen, lastId] = [true, 0];

  const fail = (error: unknown) => {
    if (!isOpen) return;
    isOpen = false;
    authorized.reject(error);
    for (const asked of waiting.values()) asked.reject(error);
    waiting.clear();
    listening.clear();
    socket.close();
    onClose?.(error);
  };
  const hear = (text: string) => {
    const message = messageSchema.parse(JSON.parse(text));
    const { id = 0, type, success = type === 'pong', result, event, error } = message;
    if (type === 'auth_required') return socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    if (type === 'auth_ok') return authorized.resolve();
    if (type === 'auth_invalid') throw new RefusedToken();
    // One that came before it was listened for is none of ours.
    if (type === 'event') return listening.get(id)?.(event);
    const asked = waiting.get(id);
    if ((type !== 'result' && type !== 'pong') || !asked) throw new Error(`the answer is ${type}`);
    waiting.delete(id);
    return success ? asked.resolve(result) : asked.reject(new RefusedCommand(error?.code ?? ''));
  };

  socket.addEventListener('message', ({ data }) => {
    try {
      if (typeof data !== 'string' || data.length > maxCharacters)
        throw new Error('a message of another kind');
      hear(data);
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
      const asked = Promise.withResolvers<unknown>();
      lastId += 1;
      waiting.set(lastId, asked);
      if (onEvent) listening.set(lastId, onEvent);
      socket.send(JSON.stringify({ id: lastId, ...command }));
      return await asked.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    ask: (command, signal) => ask(command, signal),
    subscribe: (command, onEvent, signal) => ask(command, signal, onEvent),
    isOpen: () => isOpen,
    close: () => fail(new Error('the socket is not needed any more')),
  };
}
