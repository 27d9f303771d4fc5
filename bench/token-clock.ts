/**
 * The stub's tokens carry their time of writing, so that a receiver knows how long each was in transit. Both
 * clocks are the machine's own.
 */
export function writtenNow(): string {
  return ` ${(performance.timeOrigin + performance.now()).toFixed(1)}`;
}

/** Milliseconds since each token in a piece of an answer was written; a piece may hold several. */
export function agesMs(words: string): number[] {
  const now = performance.timeOrigin + performance.now();
  return [...words.matchAll(/\d{13}\.\d/g)].map(([writtenAt]) => now - Number(writtenAt));
}
