/** The events of a queue's job in Redis, in their order. */
export interface QueueNews {
  is: 'waits' | 'begins' | 'leaves';
  job: string;
  atMs: number;
}

/** A job with a lower rank goes first. */
export type Rank = (job: string) => number;

/** How often a job began while one of a better rank waited. */
export function overtakenIn(news: readonly QueueNews[], rank: Rank): number {
  const waiting = new Set<string>();
  let count = 0;
  for (const { is, job } of news) {
    if (is === 'waits') waiting.add(job);
    else waiting.delete(job);
    if (is === 'begins' && [...waiting].some((other) => rank(other) < rank(job))) count += 1;
  }
  return count;
}

/** How long jobs waited, in ms, by their rank; jobs that left before they began do not count. */
export function waitsIn(news: readonly QueueNews[], rank: Rank): Map<number, number[]> {
  const since = new Map<string, number>();
  const waits = new Map<number, number[]>();
  for (const { is, job, atMs } of news) {
    const waitedFrom = since.get(job);
    if (is === 'waits') since.set(job, atMs);
    else since.delete(job);
    if (is === 'begins' && waitedFrom !== undefined)
      waits.set(rank(job), [...(waits.get(rank(job)) ?? []), atMs - waitedFrom]);
  }
  return waits;
}
