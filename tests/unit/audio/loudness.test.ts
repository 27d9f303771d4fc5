import { describe, expect, test } from 'vitest';
import { leveled, loudnessOf } from '../../../api/src/audio/loudness.ts';
import { type Pcm, toBytes, toNumbers } from '../../../api/src/audio/pcm.ts';

interface Sine {
  hz: number;
  /** dB below full scale, at the peaks. */
  db: number;
  seconds: number;
  sampleRateHz?: number;
}

function sine({ hz, db, seconds, sampleRateHz = 48_000 }: Sine): Pcm {
  const amplitude = 32_767 * 10 ** (db / 20);
  const sampleAt = (_: unknown, at: number) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * at) / sampleRateHz));
  return {
    sampleRateHz,
    samples: toBytes(Int16Array.from({ length: seconds * sampleRateHz }, sampleAt)),
  };
}

const joined = (...sounds: Pcm[]): Pcm => ({
  sampleRateHz: sounds[0]?.sampleRateHz ?? 0,
  samples: Buffer.concat(sounds.map(({ samples }) => samples)),
});

const peakOf = ({ samples }: Pcm): number => Math.max(...toNumbers(samples).map(Math.abs)) / 32_768;

describe('loudness', () => {
  // EBU Tech 3341, tests 1 and 2: a stereo sine of 1,000 Hz at -23 dB is -23 LUFS. One channel of it is 3.01
  // LU softer.
  test.each([
    [{ hz: 1_000, db: -23, seconds: 20 }, -26.01],
    [{ hz: 1_000, db: -33, seconds: 20 }, -36.01],
    // BS.1770-5: a sine of 997 Hz at full scale in one channel.
    [{ hz: 997, db: 0, seconds: 2 }, -3.01],
    [{ hz: 997, db: 0, seconds: 2, sampleRateHz: 22_050 }, -3.01],
    [{ hz: 997, db: 0, seconds: 2, sampleRateHz: 16_000 }, -3.01],
  ])('of %j is %s LUFS', (sound, expected) => {
    expect(Math.abs((loudnessOf(sine(sound)) ?? 0) - expected)).toBeLessThan(0.1);
  });

  test('ignores pauses and much softer parts', () => {
    const [loud, soft] = [
      sine({ hz: 1_000, db: -23, seconds: 20 }),
      sine({ hz: 1_000, db: -40, seconds: 20 }),
    ];
    const silence = { sampleRateHz: 48_000, samples: Buffer.alloc(20 * 96_000) };

    const measured = loudnessOf(joined(soft, loud, silence)) ?? 0;

    expect(Math.abs(measured + 26.01)).toBeLessThan(0.1);
  });

  test('of silence is null', () => {
    expect(loudnessOf({ sampleRateHz: 22_050, samples: Buffer.alloc(0) })).toBeNull();
    expect(loudnessOf({ sampleRateHz: 22_050, samples: Buffer.alloc(44_100) })).toBeNull();
    expect(leveled({ sampleRateHz: 22_050, samples: Buffer.alloc(10) }).samples).toEqual(Buffer.alloc(10));
  });
});

describe('levelled speech', () => {
  test.each([
    ['full scale', { hz: 400, db: 0, seconds: 0.3 }],
    ['soft', { hz: 400, db: -35, seconds: 3 }],
    ['shorter than a block', { hz: 400, db: -6, seconds: 0.1 }],
  ])('of %s has the common loudness', (_, sound) => {
    const level = loudnessOf(leveled(sine({ ...sound, sampleRateHz: 22_050 }))) ?? 0;

    expect(Math.abs(level + 20)).toBeLessThan(0.1);
  });

  test('limits peaks to -3 dB, and changes nothing else', () => {
    const quiet = sine({ hz: 400, db: -26, seconds: 2, sampleRateHz: 22_050 });
    const peak = sine({ hz: 400, db: 0, seconds: 0.01, sampleRateHz: 22_050 });
    const sound = joined(quiet, peak, quiet);

    const heard = leveled(sound);

    expect(peakOf(heard)).toBeLessThanOrEqual(10 ** (-3 / 20) + 1e-3);
    const [before, after] = [sound, heard].map(({ samples }) => toNumbers(samples)[1_000] ?? 0);
    const gain = (after ?? 0) / (before ?? 1);
    const next = (toNumbers(heard.samples)[40_000] ?? 0) / (toNumbers(sound.samples)[40_000] ?? 1);
    expect(Math.abs(gain - next)).toBeLessThan(0.01);
  });

  test('leaves nearly inaudible noise unchanged', () => {
    const level = loudnessOf(leveled(sine({ hz: 400, db: -65, seconds: 1 }))) ?? 0;

    expect(level).toBeLessThan(-45);
  });
});
