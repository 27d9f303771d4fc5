import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFramer, frameBytes } from '../../../api/src/audio/frames.ts';

test('the cutter returns the same frames for any split of the bytes', () => {
  const cuts = fc.array(fc.nat({ max: 3 * frameBytes }), { maxLength: 20 });

  fc.assert(
    fc.property(cuts, fc.integer(), (lengths, seed) => {
      const chunks = lengths.map((length, index) => Buffer.alloc(length, (seed + index) & 0xff));
      const framer = createFramer();

      const frames = chunks.flatMap((chunk) => framer.push(chunk));

      const all = Buffer.concat(chunks);
      expect(frames.every((frame) => frame.length === frameBytes)).toBe(true);
      expect(frames.length).toBe(Math.floor(all.length / frameBytes));
      expect(Buffer.concat(frames).equals(all.subarray(0, frames.length * frameBytes))).toBe(true);
    }),
  );
});
