/**
 * Times are counted in steps, ten to a decade, so that a day of them takes a few hundred numbers and a percentile is off by less than a step.
 * Upper bounds in ms.
 */
const decade = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8] as const;

export const timeBounds: readonly number[] = [1, 10, 100, 1_000, 10_000]
  .flatMap((tens) => decade.map((step) => step * tens))
  .filter((bound) => bound <= 63_000);

/** Which step a time falls into; the last one holds all that is longer. */
export function stepOf(ms: number): number {
  const step = timeBounds.findIndex((bound) => ms <= bound);
  return step < 0 ? timeBounds.length : step;
}

/** How many times fell into each step. */
export type StepCounts = ReadonlyMap<number, number>;

/** The time that this share of all does not exceed, in ms; null when there are none. */
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

/** A place between a step's bounds, as if its times were spread evenly. */
function within(step: number, share: number): number {
  const low = timeBounds[step - 1] ?? 0;
  const high = timeBounds[step] ?? low;
  return Math.round((low + (high - low) * Math.max(0, Math.min(1, share))) * 100) / 100;
}

/** Two counts as one. */
export function added(one: StepCounts, other: StepCounts): Map<number, number> {
  const sum = new Map(one);
  for (const [step, count] of other) sum.set(step, (sum.get(step) ?? 0) + count);
  return sum;
}
