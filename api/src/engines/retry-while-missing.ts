import { setTimeout as delay } from 'node:timers/promises';
import { HomeError, harmless } from './home-fault.ts';

/** While Home Assistant starts, its routes are missing for about a second. */
const missingMs = 2_500;
const missingRetryMs = 250;

interface Patience {
  isRunning: (signal: AbortSignal) => Promise<boolean>;
  signal: AbortSignal;
}

/**
 * Retries while a route is missing. A 404 means that nothing was done, and Home Assistant may still be
 * starting.
 */
export async function retryWhileMissing<T>(
  work: () => Promise<T>,
  { isRunning, signal }: Patience,
): Promise<T> {
  const giveUpAt = performance.now() + missingMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HomeError) || error.failure !== 'missing') throw error;
      if (performance.now() > giveUpAt) {
        throw (await isRunning(signal)) ? error : new HomeError('starting', error);
      }
      await delay(missingRetryMs, undefined, { signal });
    }
  }
}

/** Wraps work that changes nothing in the house, even if it fails. */
export async function harmlessly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HomeError ? new HomeError(harmless(error.failure), error.cause) : error;
  }
}
