import type { EngineCall, EngineClient } from './engine-client.ts';

/** By then the server has the whole request and works on it. A shorter call proves nothing. */
const atWorkMs = 50;

interface LifeSignOptions {
  http: Pick<EngineClient, 'sayIfAlive'>;
  /** The address of a simple query that changes nothing. */
  url: string;
}

/**
 * Learns during real work whether a server answers a simple query in parallel. Silence means a hang only if
 * the server does.
 */
export function createLifeSign({ http, url }: LifeSignOptions) {
  let isGiven = false;

  const askBeside = async (over: AbortSignal): Promise<void> => {
    const isAnswered = await http.sayIfAlive(url, over).then(
      () => true,
      () => false,
    );
    if (isAnswered && !over.aborted) isGiven = true;
  };

  return {
    /** The query to send during a long silence; empty until the server has answered one during a call. */
    get asked(): Pick<EngineCall, 'lifeSign'> {
      return isGiven ? { lifeSign: { url } } : {};
    },
    /** Marks the start of a call. Call the returned function at the first byte of its answer. */
    watch(): () => void {
      if (isGiven) return () => undefined;
      const over = new AbortController();
      const timer = setTimeout(() => void askBeside(over.signal), atWorkMs);
      return () => {
        clearTimeout(timer);
        over.abort();
      };
    },
  };
}
