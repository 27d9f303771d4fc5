import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameCutter, frameSamples, toFloats } from '../../../console/src/sound/frame-cutter.ts';

function cut(pieces: readonly (readonly number[])[]): number[][] {
  const frames: number[][] = [];
  const cutter = createFrameCutter((frame) => frames.push([...frame]));
  for (const piece of pieces) cutter.push(Float32Array.from(piece));
  return frames;
}

describe('the frame cutter', () => {
  test('makes frames of 20 ms from chunks of any size, and loses nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: -32_767, max: 32_767 }), { maxLength: 500 })),
        (pieces) => {
          const all = pieces.flat();

          const frames = cut(pieces.map((piece) => piece.map((sample) => sample / 32_767)));

          expect(frames.flat()).toEqual(all.slice(0, frames.length * frameSamples));
          expect(frames.length).toBe(Math.floor(all.length / frameSamples));
        },
      ),
    );
  });

  test.each([
    [2, 32_767],
    [-7, -32_767],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 32_767],
  ])('turns the sample %d into %i without noise', (sample, expected) => {
    expect(cut([Array(frameSamples).fill(sample)])).toEqual([Array(frameSamples).fill(expected)]);
  });

  test('drops half a frame on request', () => {
    const frames: Int16Array[] = [];
    const cutter = createFrameCutter((frame) => frames.push(frame));

    cutter.push(new Float32Array(100).fill(1));
    cutter.clear();
    cutter.push(new Float32Array(frameSamples));

    expect(frames).toEqual([new Int16Array(frameSamples)]);
  });

  test('converts 16-bit samples for the sound card', () => {
    expect([...toFloats(Int16Array.of(-32_768, 0, 16_384))]).toEqual([-1, 0, 0.5]);
  });
});
