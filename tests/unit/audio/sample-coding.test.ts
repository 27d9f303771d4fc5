import { describe, expect, test } from 'vitest';
import { countFrames, mixDown, type RawSound, sampleCodings } from '../../../api/src/audio/sample-coding.ts';

const sound = (more: Partial<RawSound>): RawSound => ({
  sampleRateHz: 16_000,
  channels: 1,
  coding: sampleCodings.integer16,
  data: Buffer.alloc(0),
  ...more,
});
const numbersOf = (raw: RawSound) => [...mixDown(raw, 0, countFrames(raw))];

function floats(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) data.writeFloatLE(value, 4 * n);
  return data;
}

describe('sample codings', () => {
  test.each([
    ['unsigned8', '00 80 ff', [-32_768, 0, 32_512]],
    ['integer16', '0080 ffff 0000 ff7f', [-32_768, -1, 0, 32_767]],
    ['integer16BigEndian', '8000 ffff 0000 7fff', [-32_768, -1, 0, 32_767]],
    ['integer24', '000080 ff00ff ffff7f', [-32_768, -256, 32_767]],
    ['integer32', '00000080 00000100 ffffff7f', [-32_768, 1, 32_767]],
    // The corners of ITU-T G.711: silence of either sign, the smallest step, full scale.
    ['muLaw', 'ff 7f fe 80 00', [0, 0, 8, 32_124, -32_124]],
    ['aLaw', 'd5 55 d4 aa 2a', [8, -8, 24, 32_256, -32_256]],
  ] as const)('read %s', (coding, hex, numbers) => {
    const data = Buffer.from(hex.replaceAll(' ', ''), 'hex');

    expect(numbersOf(sound({ coding: sampleCodings[coding], data }))).toEqual(numbers);
  });

  test('read floats with 1 as full scale', () => {
    const data = floats(0, 0.5, -1, 1);

    expect(numbersOf(sound({ coding: sampleCodings.float32, data }))).toEqual([0, 16_384, -32_767, 32_767]);
  });

  test('turn floats beyond the range or without a value into no noise', () => {
    const data = floats(7, -7, Number.NaN, Number.POSITIVE_INFINITY);

    expect(numbersOf(sound({ coding: sampleCodings.float32, data }))).toEqual([32_767, -32_768, 0, 32_767]);
  });

  test('mix channels to their mean', () => {
    const data = Buffer.from(Int16Array.of(100, 300, -50, 50, 32_767, 32_767, 1, 2).buffer);

    // A last frame with only some of its channels is not sound.
    expect(numbersOf(sound({ channels: 2, data: data.subarray(0, -2) }))).toEqual([200, 0, 32_767]);
  });
});
