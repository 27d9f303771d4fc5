import { type Day, numberOf } from './day.ts';
import type { createClock } from './time-zones.ts';

const dayMs = 24 * 3_600_000;

export interface WallTime extends Day {
  /** 0 to 24: midnight at the end of the day. */
  hour: number;
  minute: number;
}

/**
 * When the clock on the wall shows a time, as Unix time in ms. A time that comes twice, as in the night in which the clocks go back, is the
 * first one; one that never comes is as much later as the clocks were put forward.
 */
export function instantOf(
  wall: WallTime,
  { clock, timeZone }: { clock: ReturnType<typeof createClock>; timeZone: string },
): number {
  const wanted = numberOf(wall) * dayMs + wall.hour * 3_600_000 + wall.minute * 60_000;
  const shownAt = (at: number) => {
    const shown = clock(at, timeZone);
    return numberOf(shown) * dayMs + shown.hour * 3_600_000 + shown.minute * 60_000;
  };
  /** How far the clock is ahead of Greenwich, a day before and a day after: between them it changes at most once. */
  const [before, after] = [wanted - dayMs, wanted + dayMs].map((at) => wanted - (shownAt(at) - at));
  const found = [before, after].find((at) => at !== undefined && shownAt(at) === wanted);
  return found ?? before ?? wanted;
}
