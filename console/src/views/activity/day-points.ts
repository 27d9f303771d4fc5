import type { DayOfTurns } from './waterfall.ts';

export interface ChartPoints {
  /** In Unix seconds, because the chart expects them. */
  atS: number[];
  p50: (number | null)[];
  p95: (number | null)[];
}

/** The hours of a day, oldest first. An hour without turns is a gap. */
export function pointsOf(hours: NonNullable<DayOfTurns['hours']>, part: string): ChartPoints {
  const sorted = hours
    .map(({ at, percentiles }) => ({ atS: Date.parse(at) / 1_000, of: percentiles[part] }))
    .filter(({ atS }) => Number.isFinite(atS))
    .toSorted((a, b) => a.atS - b.atS);
  return {
    atS: sorted.map(({ atS }) => atS),
    p50: sorted.map(({ of }) => of?.p50 ?? null),
    p95: sorted.map(({ of }) => of?.p95 ?? null),
  };
}
