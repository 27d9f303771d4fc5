import type { Timer } from './timer.ts';

/** Rung later than this it would only puzzle: it is told as missed. */
const maxLateMs = 24 * 3_600_000;
/** A command is carried out within this. After that nobody knows what has become of it. */
const maxDoingMs = 90_000;
/** A missed timer that nobody was there to hear of by then is not told any more, and one that is paused is not meant to go on. */
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
): 'wait' | 'ring' | 'do' | 'lose' | 'miss' | 'forget' {
  const lateMs = now - timer.dueAt;
  // What a step of the clock has skipped, nobody had a chance to hear.
  const isTooLate = lateMs - steppedMs > maxLateMs;
  switch (timer.state) {
    case 'running':
      return lateMs < 0 ? 'wait' : whenDue(timer, isTooLate);
    case 'paused':
      return lateMs > keepMissedMs ? 'forget' : 'wait';
    case 'doing':
      return now - (timer.ringingAt ?? timer.dueAt) > maxDoingMs ? 'lose' : 'wait';
    case 'ringing': {
      // As long as no satellite was there to ring, nobody has let it ring.
      const isUnheeded = timer.heardAt !== null && now - timer.heardAt >= ringMs;
      return isUnheeded || isTooLate ? 'miss' : 'wait';
    }
    case 'missed':
      return lateMs > keepMissedMs ? 'forget' : 'wait';
  }
}

/** What is too late for a command, whoever carries it out decides. */
function whenDue({ kind }: Timer, isTooLate: boolean): 'ring' | 'do' | 'miss' {
  if (kind === 'command') return 'do';
  return isTooLate ? 'miss' : 'ring';
}
