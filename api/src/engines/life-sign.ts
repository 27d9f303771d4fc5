import type { EngineCall, EngineClient } from './engine-client.ts';

/** By then a server has the whole request and works on it. A call that is over sooner shows nothing. */
const atWorkMs = 50;

interface LifeSignOptions {
  http: Pick<EngineClient, 'sayIfAlive'>;
  /** A simple question that changes nothing. */
  url: string;
}

/**
 * Finds out by its work whether a server answers a simple question beside it. Not every one does, and only of one that does the silence says that
 * it hangs.
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
    /** The question to ask in a long silence; none as long as no answer to it came beside a call. */
    get asked(): Pick<EngineCall, 'lifeSign'> {
      return isGiven ? { lifeSign: { url } } : {};
    },
    /** A call begins. The function that comes back is to be called at the first sign of its answer. */
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
