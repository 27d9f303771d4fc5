import type { EngineCall, EngineClient } from './engine-client.ts';

/** By then the server has the whole request and works on it. A shorter call proves nothing. */
const atWorkMs = 50;

interface LivenessProbeOptions {
  http: Pick<EngineClient, 'probe'>;
  /** The address of a simple query that changes nothing. */
  url: string;
}

/**
 * Learns during real work whether a server answers a simple query in parallel. Only then does silence mean
 * that it hangs.
 */
export function createLivenessProbe({ http, url }: LivenessProbeOptions) {
  let isSupported = false;

  const probe = async (over: AbortSignal): Promise<void> => {
    const isAnswered = await http.probe(url, over).then(
      () => true,
      () => false,
    );
    if (isAnswered && !over.aborted) isSupported = true;
  };

  return {
    /** The probe for a call to this server. Empty until the server has answered one during a call. */
    get callOptions(): Pick<EngineCall, 'livenessProbe'> {
      return isSupported ? { livenessProbe: { url } } : {};
    },
    /** Marks the start of a call. Call the returned function at the first byte of its answer. */
    watch(): () => void {
      if (isSupported) return () => undefined;
      const over = new AbortController();
      const timer = setTimeout(() => void probe(over.signal), atWorkMs);
      return () => {
        clearTimeout(timer);
        over.abort();
      };
    },
  };
}
