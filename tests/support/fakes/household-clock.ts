import type { HouseholdClock } from '../../../api/src/redis/household-clock.ts';

/** The household's time, controlled by the test. */
export function fakeHouseholdClock(beginsAt: number) {
  const at = { steady: beginsAt, shiftMs: 0, era: '' };
  const clock: HouseholdClock = {
    now: () => at.steady + at.shiftMs,
    steady: () => at.steady,
    shiftMs: () => at.shiftMs,
    era: () => at.era,
    ready: Promise.resolve(),
  };
  return {
    clock,
    pass: (ms: number) => {
      at.steady += ms;
    },
    /** Advances time until the wall clock shows this. */
    passUntil: (ms: number) => {
      at.steady = ms - at.shiftMs;
    },
    /** Changes the wall clock. */
    set: (byMs: number) => {
      at.shiftMs += byMs;
    },
    /** Restarts the machine after `offMs`, with a clock that is `behindMs` slow. */
    reboot: ({ offMs, behindMs = 0 }: { offMs: number; behindMs?: number }) => {
      Object.assign(at, { steady: clock.now() + offMs - behindMs, shiftMs: 0, era: `${at.era}+` });
    },
  };
}
