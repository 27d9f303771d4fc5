/** Aborts with the other signal, or after this long. */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/** A signal as a promise to race against: it rejects with the signal's reason, and need not be awaited. */
export function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  promise.catch(() => undefined); // whoever races against it hears it
  return promise;
}
