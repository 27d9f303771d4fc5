import { setTimeout as delay } from 'node:timers/promises';
import type { KeyPair } from './household-ca.ts';

interface KeptCertificateOptions {
  current: () => Promise<KeyPair>;
  /** Gets it whenever it is another one. */
  onNew: (pair: KeyPair) => void;
  onError: (error: unknown) => void;
  everyMs: number;
  /** The one that is in use already. */
  known: string;
  signal: AbortSignal;
}

/** Looks again and again whether the certificate still holds, until the signal ends it. The last good one stays in use. */
export async function keepCertificate(options: KeptCertificateOptions): Promise<void> {
  const { current, onNew, onError, everyMs, signal } = options;
  let shown = options.known;
  while (!signal.aborted) {
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
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
