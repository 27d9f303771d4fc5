/**
 * Tokens of the stub say when they were written, so that whoever receives one knows how long it was on its way. Both clocks are the machine's own.
 */
export function writtenNow(): string {
  return ` ${(performance.timeOrigin + performance.now()).toFixed(1)}`;
}

/** Milliseconds since each token in a piece of an answer was written; pieces may hold several. */
export function agesMs(words: string): number[] {
  const now = performance.timeOrigin + performance.now();
  return [...words.matchAll(/\d{13}\.\d/g)].map(([writtenAt]) => now - Number(writtenAt));
}
