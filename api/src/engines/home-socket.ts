import { HomeError } from './home-fault.ts';
import { type HomeCommand, type HomeLine, openHomeLine, RefusedToken } from './home-line.ts';
import type { HomeLockout } from './home-lockout.ts';

/** The connection closes after this long without a command. */
const idleMs = 60_000;

interface HomeSocketOptions {
  baseUrl: string;
  token: string;
  shutOut: HomeLockout;
}

/** Home Assistant's websocket. */
export interface HomeSocket {
  /**
   * Sends a command and resolves with its result. Only for commands that change nothing: after a broken
   * connection it is sent once more.
   */
  ask(command: HomeCommand, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

/**
 * Shares one connection for all commands, because opening one takes longer than an answer. It opens on demand
 * and closes when idle.
 */
export function createHomeSocket({ baseUrl, token, shutOut }: HomeSocketOptions): HomeSocket {
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
      if (error instanceof RefusedToken) shutOut.learn(new HomeError('refused', error));
      if (!reused || reused.isOpen() || signal.aborted) throw error;
      return await fresh().ask(command, signal);
    }
  };

  return {
    async ask(command, signal) {
      signal.throwIfAborted();
      if (!kept?.isOpen()) shutOut.throwIfShut();
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
