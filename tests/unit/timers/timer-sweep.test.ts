import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Timer } from '../../../api/src/timers/timer.ts';
import { createTimerSweep } from '../../../api/src/timers/timer-sweep.ts';
import { byClockNow, countsFrom, ringingFrom } from '../../../api/src/timers/timer-time.ts';
import { fakeHouseholdClock } from '../../support/fakes/household-clock.ts';
import { minuteMs, now, timer } from '../../support/timers.ts';

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * A worker with timers of ten minutes, alarms in ten minutes, and any other given ones. It ignores its own
 * wall clock.
 */
function household(given: Partial<Timer> = {}, by: 'length' | 'clock' = 'length') {
  const time = fakeHouseholdClock(now);
  const record = timer({
    setAt: now,
    dueAt: now + 10 * minuteMs,
    counts: countsFrom(by, time.clock),
    ...given,
  });
  let kept: Timer | null = record;
  const rang: { afterMs: number; timer: Timer }[] = [];
  let passedMs = 0;
  const sweep = createTimerSweep({
    timers: {
      all: async () => (kept ? [byClockNow(kept, time.clock)] : []),
      read: async () => kept && byClockNow(kept, time.clock),
      ring: async (each) => {
        kept = ringingFrom(each, time.clock);
        rang.push({ afterMs: passedMs, timer: kept });
        return true;
      },
      miss: async (each) => {
        kept = { ...each, state: 'missed' };
        return true;
      },
      forget: async () => {
        kept = null;
        return true;
      },
    },
    commands: { carryOut: async () => undefined, lose: async () => undefined },
    ringMs: () => 10 * minuteMs,
    log: pino({ enabled: false }),
    clock: time.clock,
  });
  return {
    time,
    sweep,
    rang,
    state: () => kept?.state,
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 100) {
        passedMs += 100;
        time.pass(100);
        await vi.advanceTimersByTimeAsync(100);
      }
    },
  };
}

const lateMs = (afterMs: number | undefined, of: number) => (afterMs ?? Number.NaN) - of;

describe('a timer of ten minutes', () => {
  test.each([10_000, hourMs, 3 * dayMs, -10_000, -hourMs, -3 * dayMs])(
    'rings after ten minutes, although the clock is set by %d ms meanwhile',
    async (byMs) => {
      const { pass, time, rang } = household();
      await pass(minuteMs);
      time.set(byMs);
      await pass(10 * minuteMs);

      expect(rang).toHaveLength(1);
      expect(lateMs(rang[0]?.afterMs, 10 * minuteMs)).toBeGreaterThanOrEqual(0);
      expect(lateMs(rang[0]?.afterMs, 10 * minuteMs)).toBeLessThanOrEqual(200);
    },
  );

  test.each([hourMs, 3 * dayMs, -hourMs])(
    'rings for ten minutes, although the clock is set by %d ms while it rings',
    async (byMs) => {
      const { pass, time, rang, state, sweep } = household({
        state: 'ringing',
        ringingAt: now,
        heardAt: now,
        dueAt: now,
      });
      time.set(byMs);
      await sweep.checkAll();
      await pass(9 * minuteMs + 50_000);
      const before = state();
      await pass(20_000);

      expect([rang, before, state()]).toEqual([[], 'ringing', 'missed']);
    },
  );

  test('follows the clock after its machine was off, the only measure of that time', async () => {
    const { pass, time, rang } = household();
    await pass(minuteMs);
    // Like a machine without a battery clock: it starts at the time of its end, and learns the time a little
    // later.
    time.reboot({ offMs: hourMs, behindMs: hourMs });
    await pass(10_000);
    const before = rang.length;
    time.set(hourMs);
    await pass(10_000);

    expect([before, rang.length]).toEqual([0, 1]);
    expect(rang[0]?.timer).toMatchObject({ state: 'ringing', dueAt: now + 10 * minuteMs });
  });

  test('of an earlier version, whose record has no such data, follows the clock', async () => {
    const { pass, time, rang } = household({ counts: undefined });
    await pass(minuteMs);
    time.set(hourMs);
    await pass(6_000);

    expect(rang).toHaveLength(1);
  });
});

describe('the job of a timer', () => {
  test('rings it at its time, even if the worker runs the job early', async () => {
    const { pass, rang, sweep } = household({ dueAt: now + 2_000 });
    await sweep.onDue('any');
    const early = rang.length;
    await pass(2_100);

    expect([early, rang.length]).toEqual([0, 1]);
  });

  test('ignores one that rings already', async () => {
    const { rang, sweep, state, pass } = household({ state: 'ringing', ringingAt: now, dueAt: now });
    await sweep.onDue('any');
    await pass(100);

    expect([rang, state()]).toEqual([[], 'ringing']);
  });
});

describe('an alarm', () => {
  test('follows the clock', async () => {
    const { pass, time, rang } = household({ kind: 'alarm' }, 'clock');
    time.set(-5 * minuteMs);
    await pass(14 * minuteMs);
    const before = rang.length;
    await pass(2 * minuteMs);

    expect([before, rang.length]).toEqual([0, 1]);
  });

  test.each([hourMs, 3 * dayMs])(
    'that was skipped by a step of %d ms rings aloud and says why',
    async (byMs) => {
      const { pass, time, rang } = household({ kind: 'alarm' }, 'clock');
      time.set(byMs);
      await pass(6_000);
      time.set(-byMs);
      await pass(minuteMs);

      expect(rang).toHaveLength(1);
      expect(rang[0]?.timer).toMatchObject({ state: 'ringing', counts: { steppedMs: byMs } });
    },
  );

  test('that was due two days ago, while the machine was off, is only reported', async () => {
    const { pass, time, rang, state } = household({ kind: 'alarm' }, 'clock');
    time.reboot({ offMs: 2 * dayMs });
    await pass(6_000);

    expect([rang, state()]).toEqual([[], 'missed']);
  });
});
