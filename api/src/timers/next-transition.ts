import type { Timer } from './timer.ts';

/** Ringing later than this would confuse people, so the timer counts as missed. */
const maxLateMs = 24 * 3_600_000;
/** Time limit of a command. After it, the outcome is unknown. */
const maxDoingMs = 90_000;
/** Missed timers older than this are not reported any more, and paused ones are deleted. */
const keepMissedMs = 7 * 24 * 3_600_000;

interface RingLimits {
  /** How long a timer rings after it was first heard. */
  ringMs: number;
  /** The part of its lateness caused by setting the clock forward. */
  steppedMs?: number;
}

/** The next transition of a timer at a time on its clock. A late call still finds it. */
export function nextTransition(
  timer: Timer,
  now: number,
  { ringMs, steppedMs = 0 }: RingLimits,
): 'wait' | 'ring' | 'do' | 'lose' | 'miss' | 'forget' {
  const lateMs = now - timer.dueAt;
  // Time skipped by a clock step does not count, because the timer could not ring in it.
  const isTooLate = lateMs - steppedMs > maxLateMs;
  switch (timer.state) {
    case 'running':
      return lateMs < 0 ? 'wait' : whenDue(timer, isTooLate);
    case 'paused':
      return lateMs > keepMissedMs ? 'forget' : 'wait';
    case 'doing':
      return now - (timer.ringingAt ?? timer.dueAt) > maxDoingMs ? 'lose' : 'wait';
    case 'ringing': {
      // A timer that no satellite has rung yet cannot be missed.
      const isUnheeded = timer.heardAt !== null && now - timer.heardAt >= ringMs;
      return isUnheeded || isTooLate ? 'miss' : 'wait';
    }
    case 'missed':
      return lateMs > keepMissedMs ? 'forget' : 'wait';
  }
}

/** Commands are never too late here. The code that runs them decides. */
function whenDue({ kind }: Timer, isTooLate: boolean): 'ring' | 'do' | 'miss' {
  if (kind === 'command') return 'do';
  return isTooLate ? 'miss' : 'ring';
}
