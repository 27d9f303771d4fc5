import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResampler } from '../../../api/src/audio/resampler.ts';

const rates = [8_000, 16_000, 22_050, 44_100, 48_000, 96_000] as const;

function tone(hz: number, { rateHz, ms }: { rateHz: number; ms: number }): Float32Array {
  return Float32Array.from({ length: (rateHz * ms) / 1_000 }, (_, at) =>
    Math.sin((2 * Math.PI * hz * at) / rateHz),
  );
}

/** The loudest sample after the beginning, where the filter has no past yet, and before the end. */
function loudest(samples: Float32Array): number {
  const inner = samples.slice(200, -200);
  return inner.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

function resample(samples: Float32Array, from: number, to: number): Float32Array {
  return createResampler({ fromHz: from, toHz: to }).push(samples);
}

describe('the resampler', () => {
  test.each(rates)('keeps the loudness of a voice from %i Hz', (rateHz) => {
    const resampled = resample(tone(440, { rateHz, ms: 500 }), rateHz, 16_000);

    expect(loudest(resampled)).toBeCloseTo(1, 1);
  });

  test.each([9_000, 11_000, 15_000, 20_000])(
    'removes the frequencies of %i Hz that 16 kHz cannot hold',
    (hz) => {
      const resampled = resample(tone(hz, { rateHz: 48_000, ms: 500 }), 48_000, 16_000);

      expect(loudest(resampled)).toBeLessThan(0.01);
    },
  );

  test.each([44_100, 48_000])('adds nothing above the voice when it plays at %i Hz', (rateHz) => {
    const played = resample(tone(3_000, { rateHz: 16_000, ms: 300 }), 16_000, rateHz);
    const again = resample(played, rateHz, 16_000);

    expect(loudest(played)).toBeCloseTo(1, 1);
    expect(loudest(again)).toBeCloseTo(1, 1);
  });

  test('turns silence into silence', () => {
    expect(loudest(resample(new Float32Array(4_800), 48_000, 16_000))).toBe(0);
  });

  test('keeps the length for pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rates),
        fc.constantFrom(...rates),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 }),
        (fromHz, toHz, pieces) => {
          const length = pieces.reduce((sum, piece) => sum + piece, 0);
          const whole = Float32Array.from({ length }, (_, at) => Math.sin(at / 9));
          const cut = createResampler({ fromHz, toHz });
          let at = 0;
          const parts = pieces.flatMap((piece) => {
            at += piece;
            return [...cut.push(whole.slice(at - piece, at))];
          });

          expect(parts).toEqual([...resample(whole, fromHz, toHz)]);
          // The filter delays less than 2 ms at 16 kHz, and nothing at the end.
          const lag = Math.ceil(27 * Math.max(1, toHz / fromHz)) + 1;
          expect(Math.abs(parts.length - (length * toHz) / fromHz)).toBeLessThanOrEqual(lag);
          expect(parts.length + cut.end().length).toBe(Math.ceil((length * toHz) / fromHz));
        },
      ),
      { numRuns: 60 },
    );
  });
});
