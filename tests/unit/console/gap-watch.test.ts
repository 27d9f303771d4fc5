import { expect, test } from 'vitest';
import { createGapWatch } from '../../../console/src/sound/gap-watch.ts';

/** The frames that follow a gap, by number. */
function gapsIn(timesMs: readonly number[]): number[] {
  const gaps: number[] = [];
  let frame = 0;
  const watch = createGapWatch(() => gaps.push(frame));
  for (const atMs of timesMs) {
    watch(atMs);
    frame += 1;
  }
  return gaps;
}

test('counts the first frame, and the first after a suspension, as the end of a gap', () => {
  expect(gapsIn([1_000, 1_020, 1_040, 9_000, 9_020])).toEqual([0, 3]);
});

test('finds no gap in frames that come a little late or together', () => {
  expect(gapsIn([1_000, 1_200, 1_200, 1_200, 1_600])).toEqual([0]);
});

test('counts a clock that was set back as a gap', () => {
  expect(gapsIn([9_000, 1_000, 1_020])).toEqual([0, 1]);
});
