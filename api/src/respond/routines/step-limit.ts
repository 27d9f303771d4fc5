/** A limit to the time that one step takes. The time until a turn is certain is nobody's fault, and does not count. */
export function createStepLimit(maxMs: number) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const start = (): void => {
    stop();
    timer = setTimeout(() => late.abort(), maxMs);
  };
  start();
  return { signal: late.signal, start, stop };
}
