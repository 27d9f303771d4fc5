import { expect, test } from 'vitest';
import { createFft } from '../../../api/src/audio/fft.ts';

const size = 16;
const fft = createFft(size);
const wave = (times: number) =>
  Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * times * k) / size));

test('a sine wave has one frequency', () => {
  const [re, im] = [wave(3), new Float64Array(size)];

  fft.transform(re, im, 'forward');

  const loud = [...re].flatMap((each, k) => (Math.hypot(each, im[k] ?? 0) > 1e-9 ? [k] : []));
  expect(loud).toEqual([3, 13]);
  expect(re[3]).toBeCloseTo(size / 2);
});

test('the transform and its inverse return the same numbers', () => {
  const before = Float64Array.from({ length: size }, (_, k) => (k * 7919) % 13);
  const [re, im] = [before.slice(), before.toReversed()];

  fft.transform(re, im, 'forward');
  fft.transform(re, im, 'backward');

  for (const [k, each] of before.entries()) {
    expect((re[k] ?? 0) / size).toBeCloseTo(each);
    expect((im[k] ?? 0) / size).toBeCloseTo(before[size - 1 - k] ?? Number.NaN);
  }
});
