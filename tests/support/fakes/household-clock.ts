import type { HouseholdClock } from '../../../api/src/redis/household-clock.ts';

/** The household's time as a test wants it. */
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
    /** Time passes until the clock on the wall shows this. */
    passUntil: (ms: number) => {
      at.steady = ms - at.shiftMs;
    },
    /** Somebody sets the clock. */
    set: (byMs: number) => {
      at.shiftMs += byMs;
    },
    /** The machine is started anew, after so long and with a clock that shows so much less. */
    reboot: ({ offMs, behindMs = 0 }: { offMs: number; behindMs?: number }) => {
      Object.assign(at, { steady: clock.now() + offMs - behindMs, shiftMs: 0, era: `${at.era}+` });
    },
  };
}
