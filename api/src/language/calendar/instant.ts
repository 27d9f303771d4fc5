import { type Day, numberOf } from './day.ts';
import type { createClock } from './time-zones.ts';

const dayMs = 24 * 3_600_000;

interface WallTime extends Day {
  /** 0 to 24: midnight at the end of the day. */
  hour: number;
  minute: number;
}

/**
 * The Unix time in ms of a wall clock time. A time that occurs twice, because clocks go back, means the first
 * one. A time that never occurs moves forward by the clock change.
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
  /**
   * The instant by the UTC offset of the day before, and by that of the day after. The offset changes at most
   * once between them.
   */
  const [before, after] = [wanted - dayMs, wanted + dayMs].map((at) => wanted - (shownAt(at) - at));
  const found = [before, after].find((at) => at !== undefined && shownAt(at) === wanted);
  return found ?? before ?? wanted;
}
