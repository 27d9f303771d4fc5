/**
 * Upper bounds of the histogram buckets in ms, ten per decade. So a day takes a few hundred numbers, and a
 * percentile is off by less than a bucket.
 */
const decade = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8] as const;

export const timeBounds: readonly number[] = [1, 10, 100, 1_000, 10_000]
  .flatMap((tens) => decade.map((step) => step * tens))
  .filter((bound) => bound <= 63_000);

/** The bucket for a time. The last bucket holds all longer times. */
export function stepOf(ms: number): number {
  const step = timeBounds.findIndex((bound) => ms <= bound);
  return step < 0 ? timeBounds.length : step;
}

/** Number of times in each bucket. */
export type StepCounts = ReadonlyMap<number, number>;

/** The quantile in ms for this share. Null if there are no times. */
export function quantile(counts: StepCounts, share: number): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = share * all;
  for (const [step, count] of [...counts].sort(([one], [other]) => one - other)) {
    if (left <= count) return within(step, left / count);
    left -= count;
  }
  return timeBounds.at(-1) ?? null;
}

/** Interpolates inside a bucket, assuming an even spread. */
function within(step: number, share: number): number {
  const low = timeBounds[step - 1] ?? 0;
  const high = timeBounds[step] ?? low;
  return Math.round((low + (high - low) * Math.max(0, Math.min(1, share))) * 100) / 100;
}

/** Adds two histograms. */
export function added(one: StepCounts, other: StepCounts): Map<number, number> {
  const sum = new Map(one);
  for (const [step, count] of other) sum.set(step, (sum.get(step) ?? 0) + count);
  return sum;
}
