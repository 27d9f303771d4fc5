import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchAwake } from '../../../api/src/status/awake.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a process that stood still knows it before its own timers come', () => {
  let now = 1_000;
  const awake = watchAwake(() => now);
  for (let nth = 0; nth < 20; nth += 1) {
    now += 500;
    vi.advanceTimersByTime(500);
  }
  const before = awake.since();

  now += 20_000;

  expect([before, awake.since()]).toEqual([1_000, 31_000]);
  awake.stop();
});

test('a short pause is none', () => {
  let now = 0;
  const awake = watchAwake(() => now);

  now += 1_500;

  expect(awake.since()).toBe(0);
  awake.stop();
});
