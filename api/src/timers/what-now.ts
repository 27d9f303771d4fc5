import type { Timer } from './timer.ts';

/** Rung later than this it would only puzzle: it is told as missed. */
const mostLateMs = 24 * 3_600_000;
/** A missed timer that nobody was there to hear of by then is not told any more. */
const keepMissedMs = 7 * 24 * 3_600_000;

export interface RingLimits {
  /** How long a timer rings, from when it was first heard. */
  ringMs: number;
  /** How much of its lateness is no time that passed, because the clock was set forward. */
  steppedMs?: number;
}

/** The move that a timer is to make at a time, as the timer counts it: a table by its state. No move can be missed by looking late. */
export function whatNow(
  timer: Timer,
  now: number,
  { ringMs, steppedMs = 0 }: RingLimits,
): 'wait' | 'ring' | 'miss' | 'forget' {
  const lateMs = now - timer.dueAt;
  // What a step of the clock has skipped, nobody had a chance to hear.
  const isTooLate = lateMs - steppedMs > mostLateMs;
  switch (timer.state) {
    case 'running':
      if (lateMs < 0) return 'wait';
      return isTooLate ? 'miss' : 'ring';
    case 'ringing': {
      // As long as no satellite was there to ring, nobody has let it ring.
      const isUnheeded = timer.heardAt !== null && now - timer.heardAt >= ringMs;
      return isUnheeded || isTooLate ? 'miss' : 'wait';
    }
    case 'missed':
      return lateMs > keepMissedMs ? 'forget' : 'wait';
  }
}
