import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchAwake } from '../../../api/src/status/awake.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process that can stand still, or sleep with its machine. */
function watchedProcess() {
  let [now, sleptMs] = [1_000, 0];
  const awake = watchAwake({ now: () => now, ownMs: () => now + sleptMs });
  return {
    awake,
    run(ms: number): void {
      for (let passedMs = 0; passedMs < ms; passedMs += 500) {
        now += 500;
        vi.advanceTimersByTime(500);
      }
    },
    standStill(ms: number): void {
      now += ms;
    },
    sleep(ms: number): void {
      sleptMs += ms;
    },
  };
}

test('a process notices a suspension before its own timers run', () => {
  const { awake, run, standStill } = watchedProcess();
  run(10_000);
  const before = awake.since();

  standStill(20_000);

  expect([before, awake.since()]).toEqual([1_000, 31_000]);
  expect(awake.suspension()).toEqual({ ms: 20_000, endedAt: 31_000 });
  awake.stop();
});

test('a sleep of the machine counts, though the monotonic clock stopped with it', () => {
  const { awake, run, sleep } = watchedProcess();
  run(1_000);

  sleep(3_600_000);

  expect(awake.suspension()).toEqual({ ms: 3_600_000, endedAt: 2_000 });
  awake.stop();
});

test('a short pause does not count', () => {
  const { awake, standStill } = watchedProcess();

  standStill(1_500);

  expect([awake.since(), awake.suspension().ms]).toEqual([1_000, 0]);
  awake.stop();
});
