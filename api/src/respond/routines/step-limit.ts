/** A time limit for one step. Waiting for the confirmation of a turn does not count. */
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
