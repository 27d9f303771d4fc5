import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationMs, toBytes, toNumbers } from '../../../api/src/audio/pcm.ts';
import { createPcmResampler, resample } from '../../../api/src/audio/resample.ts';
import { likeness, loudness, tone } from '../../support/audio/tones.ts';

const decibels = (ratio: number) => 20 * Math.log10(ratio);

describe('resample', () => {
  test.each([
    [8_000, 16_000],
    [11_025, 16_000],
    [22_050, 16_000],
    [24_000, 16_000],
    [44_100, 16_000],
    [48_000, 16_000],
    [192_000, 16_000],
    [15_999, 16_000],
    [16_000, 22_050],
    [16_000, 48_000],
  ])('keeps pitch, position and loudness of a tone from %i to %i Hz', async (fromHz, toHz) => {
    const sound = await resample(tone(1_000, { sampleRateHz: fromHz }), toHz);

    const wanted = tone(1_000, { sampleRateHz: toHz });
    expect(sound.sampleRateHz).toBe(toHz);
    expect(sound.samples).toHaveLength(wanted.samples.length);
    expect(strayDecibels(sound.samples, wanted.samples)).toBeLessThan(-70);
  });

  test.each([22_050, 44_100, 48_000])('keeps the voice band of %i Hz', async (fromHz) => {
    const high = await resample(tone(6_500, { sampleRateHz: fromHz }), 16_000);

    expect(Math.abs(decibels(loudness(high) / loudness(tone(6_500))))).toBeLessThan(0.2);
  });

  test.each([22_050, 44_100, 48_000])('removes from %i Hz what would alias', async (fromHz) => {
    const folded = await resample(tone(9_500, { sampleRateHz: fromHz }), 16_000);

    expect(decibels(loudness(folded) / loudness(tone(6_500)))).toBeLessThan(-75);
  });

  test('returns the same sound for pieces of any size', () => {
    const { samples } = tone(700, { sampleRateHz: 22_050, ms: 100 });
    const whole = createPcmResampler({ fromHz: 22_050, toHz: 16_000 });
    const wanted = Buffer.concat([whole.push(samples), whole.end()]);

    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 40 }), (lengths) => {
        const resampler = createPcmResampler({ fromHz: 22_050, toHz: 16_000 });
        const pieces: Buffer[] = [];
        let at = 0;
        for (const length of [...lengths, samples.length]) {
          pieces.push(resampler.push(samples.subarray(at, at + 2 * length)));
          at = Math.min(samples.length, at + 2 * length);
        }
        return Buffer.concat([...pieces, resampler.end()]).equals(wanted);
      }),
    );
  });

  test('returns a tenth of a second after a tenth of a second of input', () => {
    const resampler = createPcmResampler({ fromHz: 22_050, toHz: 16_000 });

    const out = resampler.push(tone(500, { sampleRateHz: 22_050, ms: 100 }).samples);

    // The filter delays less than 2 ms.
    expect(durationMs({ sampleRateHz: 16_000, samples: out })).toBeGreaterThan(98);
  });

  test('clips samples beyond the range instead of wrapping', async () => {
    const square = Int16Array.from({ length: 4_410 }, (_, n) => (n % 100 < 50 ? 32_767 : -32_768));

    const sound = await resample({ sampleRateHz: 44_100, samples: toBytes(square) }, 16_000);

    expect(
      likeness(
        sound,
        await resample({ sampleRateHz: 44_100, samples: toBytes(square.map((n) => n / 4)) }, 16_000),
      ),
    ).toBeGreaterThan(0.99);
  });

  test('returns nothing for no input', async () => {
    const nothing = await resample({ sampleRateHz: 8_000, samples: Buffer.alloc(0) }, 16_000);

    expect(nothing).toEqual({ sampleRateHz: 16_000, samples: Buffer.alloc(0) });
  });
});

/** Level of all unwanted sound below the wanted sound, without the edges. */
function strayDecibels(found: Buffer, wanted: Buffer): number {
  const [a, b] = [toNumbers(found), toNumbers(wanted)];
  let [stray, all] = [0, 0];
  for (let n = 1_000; n < b.length - 1_000; n += 1) {
    const [x = 0, y = 0] = [a[n], b[n]];
    stray += (x - y) ** 2;
    all += y ** 2;
  }
  return 10 * Math.log10(stray / all);
}
