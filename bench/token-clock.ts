/**
 * Tokens of the stub say when they were written, so that whoever receives one knows how long it was on its way. Both clocks are the machine's own.
 */
export function writtenNow(): string {
  return ` ${(performance.timeOrigin + performance.now()).toFixed(1)}`;
}

/** Milliseconds since the token was written; undefined when this is no such token. */
export function ageMs(token: string): number | undefined {
  const writtenAt = /^ ?(\d{13}\.\d)$/.exec(token)?.[1];
  return writtenAt === undefined ? undefined : performance.timeOrigin + performance.now() - Number(writtenAt);
}
