import { setTimeout as delay } from 'node:timers/promises';
import type { KeyPair } from './household-ca.ts';

interface WatchCertificateOptions {
  current: () => Promise<KeyPair>;
  /** Called with every new certificate. */
  onNew: (pair: KeyPair) => void;
  onError: (error: unknown) => void;
  intervalMs: number;
  /** The certificate already in use. */
  known: string;
  signal: AbortSignal;
}

/** Checks the certificate periodically, until the signal aborts. The last valid one stays in use. */
export async function watchCertificate(options: WatchCertificateOptions): Promise<void> {
  const { current, onNew, onError, intervalMs, signal } = options;
  let shown = options.known;
  while (!signal.aborted) {
    await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const pair = await current();
      if (pair.cert !== shown) onNew(pair);
      shown = pair.cert;
    } catch (error) {
      onError(error);
    }
  }
}
