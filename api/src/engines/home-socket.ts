import { type HomeCommand, type HomeLine, openHomeLine } from './home-line.ts';

/** Nobody has asked anything for so long: the connection is not worth keeping. */
const idleMs = 60_000;

interface HomeSocketOptions {
  baseUrl: string;
  token: string;
}

/** Home Assistant's websocket. */
export interface HomeSocket {
  /** Sends a command and resolves with its result. Only for commands that do nothing: one whose connection broke is sent again, once. */
  ask(command: HomeCommand, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

/** One connection for all commands: to open one costs more than to be answered. It is opened when it is needed, and closed when it is not. */
export function createHomeSocket({ baseUrl, token }: HomeSocketOptions): HomeSocket {
  let kept: HomeLine | null = null;
  let idle: NodeJS.Timeout | undefined;

  const close = () => {
    clearTimeout(idle);
    kept?.close();
    kept = null;
  };
  const fresh = (): HomeLine => {
    close();
    kept = openHomeLine({ baseUrl, token });
    return kept;
  };
  const talk = async (command: HomeCommand, signal: AbortSignal): Promise<unknown> => {
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
