/** Adds a timeout in ms to a signal. */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/** A promise that rejects with the signal's reason, for `Promise.race`. It need not be awaited. */
export function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  promise.catch(() => undefined); // the race reports it
  return promise;
}
