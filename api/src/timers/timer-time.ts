import type { HouseholdClock } from '../redis/household-clock.ts';
import type { Timer } from './timer.ts';

/**
 * The time on a timer's clock as Unix time in ms, comparable with the times of its record. A timer set by
 * length, and every ringing one, follows elapsed time. After a reboot of the timekeeping machine, only the
 * wall clock knows how long it was off.
 */
export function nowOf(timer: Pick<Timer, 'counts'>, clock: HouseholdClock): number {
  const { counts } = timer;
  return isByLength(timer, clock) ? clock.steady() + (counts?.shiftMs ?? 0) : clock.now();
}

/** The part of a timer's lateness caused by setting the clock forward. */
export function steppedMs({ counts }: Pick<Timer, 'counts'>, clock: HouseholdClock): number {
  if (counts?.steppedMs !== undefined) return counts.steppedMs;
  const noted = counts?.era === clock.era() ? counts.shiftMs : 0;
  return counts?.by === 'length' && counts.era === clock.era() ? 0 : Math.max(0, clock.shiftMs() - noted);
}

/** The clock data of a timer that is set now. */
export function countsFrom(by: 'length' | 'clock', clock: HouseholdClock): NonNullable<Timer['counts']> {
  return { by, era: clock.era(), shiftMs: clock.shiftMs() };
}

/** A timer that begins to ring. From then on it follows elapsed time. */
export function ringingFrom(timer: Timer, clock: HouseholdClock): Timer {
  const ringingAt = nowOf(timer, clock);
  const counts = isByLength(timer, clock)
    ? timer.counts
    : { ...countsFrom('length', clock), steppedMs: steppedMs(timer, clock) };
  return { ...timer, state: 'ringing', ringingAt, counts };
}

/** Converts a timer's times to the current wall clock. */
export function byClockNow(timer: Timer, clock: HouseholdClock): Timer {
  if (!isByLength(timer, clock) || timer.counts === undefined) return timer;
  const setMs = clock.shiftMs() - timer.counts.shiftMs;
  if (setMs === 0) return timer;
  const moved = <At extends number | null>(at: At) => (at === null ? at : at + setMs);
  return {
    ...timer,
    setAt: timer.setAt + setMs,
    dueAt: timer.dueAt + setMs,
    ringingAt: moved(timer.ringingAt),
    heardAt: moved(timer.heardAt),
    counts: { ...timer.counts, shiftMs: clock.shiftMs() },
  };
}

/** Whether two records have the same due time, even if the clock was set in between. */
export function isSameDue(one: Timer, other: Timer): boolean {
  if (one.dueAt === other.dueAt) return true;
  const dueOf = ({ counts, dueAt }: Timer) => (counts?.by === 'length' ? dueAt - counts.shiftMs : null);
  return dueOf(one) !== null && dueOf(one) === dueOf(other) && one.counts?.era === other.counts?.era;
}

function isByLength({ counts }: Pick<Timer, 'counts'>, clock: HouseholdClock): boolean {
  return counts?.by === 'length' && counts.era === clock.era();
}
