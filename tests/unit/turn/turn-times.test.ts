import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile, stepOf, timeBounds } from '../../../api/src/turn/turn-times.ts';

function countsOf(times: readonly number[]) {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(stepOf(ms), (counts.get(stepOf(ms)) ?? 0) + 1);
  return counts;
}

test('a percentile is at most one step off', () => {
  const longest = timeBounds.at(-1) ?? 0;
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: longest, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95),
      (times, share) => {
        const exact = times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] ?? 0;
        const told = quantile(countsOf(times), share) ?? 0;

        // The first bucket holds everything that takes at most a millisecond.
        if (exact <= 1) expect(told).toBeLessThanOrEqual(1);
        else expect(Math.abs(Math.log(told / exact))).toBeLessThanOrEqual(Math.log(1.29));
      },
    ),
  );
});

test('an empty set has no percentile', () => {
  expect(quantile(new Map(), 0.5)).toBeNull();
});

test('a time beyond all bounds counts as the longest', () => {
  expect(quantile(countsOf([10_000_000]), 0.95)).toBe(timeBounds.at(-1));
});
