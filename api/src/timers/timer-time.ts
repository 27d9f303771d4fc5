import type { HouseholdClock } from '../redis/household-clock.ts';
import type { Timer } from './timer.ts';

/**
 * The time as a timer counts it, Unix time in ms, to compare with the times of its record. One that was asked for as a length goes on with the time
 * that passes, whatever becomes of the clock; so does all that rings. If the machine that kept the time was started anew, the clock alone
 * knows how long it was off.
 */
export function nowOf(timer: Pick<Timer, 'counts'>, clock: HouseholdClock): number {
  const { counts } = timer;
  return isByLength(timer, clock) ? clock.steady() + (counts?.shiftMs ?? 0) : clock.now();
}

/** How much of a timer's lateness is no time that passed, because the clock was set forward. */
export function steppedMs({ counts }: Pick<Timer, 'counts'>, clock: HouseholdClock): number {
  if (counts?.steppedMs !== undefined) return counts.steppedMs;
  const noted = counts?.era === clock.era() ? counts.shiftMs : 0;
  return counts?.by === 'length' && counts.era === clock.era() ? 0 : Math.max(0, clock.shiftMs() - noted);
}

/** How a timer counts that is set now. */
export function countsFrom(by: 'length' | 'clock', clock: HouseholdClock): NonNullable<Timer['counts']> {
  return { by, era: clock.era(), shiftMs: clock.shiftMs() };
}

/** A timer that begins to ring. From now on it counts by the time that passes. */
export function ringingFrom(timer: Timer, clock: HouseholdClock): Timer {
  const ringingAt = nowOf(timer, clock);
  const counts = isByLength(timer, clock)
    ? timer.counts
    : { ...countsFrom('length', clock), steppedMs: steppedMs(timer, clock) };
  return { ...timer, state: 'ringing', ringingAt, counts };
}

/** The same timer by the clock as it stands now. */
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

/** Whether two records are of the same due time, though the clock was set between them. */
export function isSameDue(one: Timer, other: Timer): boolean {
  if (one.dueAt === other.dueAt) return true;
  const dueOf = ({ counts, dueAt }: Timer) => (counts?.by === 'length' ? dueAt - counts.shiftMs : null);
  return dueOf(one) !== null && dueOf(one) === dueOf(other) && one.counts?.era === other.counts?.era;
}

function isByLength({ counts }: Pick<Timer, 'counts'>, clock: HouseholdClock): boolean {
  return counts?.by === 'length' && counts.era === clock.era();
}
