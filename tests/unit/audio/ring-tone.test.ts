import { describe, expect, test } from 'vitest';
import { loudnessOf } from '../../../api/src/audio/loudness.ts';
import { durationMs, toNumbers } from '../../../api/src/audio/pcm.ts';
import { renderRingTone } from '../../../api/src/audio/ring-tone.ts';

const tone = renderRingTone();
const levels = [...toNumbers(tone.samples)].map(Math.abs);
const loudestIn = (fromMs: number, toMs: number) => Math.max(...levels.slice(fromMs * 16, toMs * 16));

describe('the tone of a timer', () => {
  test('lasts slightly over a second, and is as loud as speech', () => {
    expect(durationMs(tone)).toBe(1_300);
    expect(Math.round(loudnessOf(tone) ?? 0)).toBe(-20);
    expect(loudestIn(0, 1_300)).toBeLessThan(0.5 * 32_767);
  });

  test('begins and ends without a click', () => {
    expect([loudestIn(0, 0.2), loudestIn(1_299, 1_300)].every((level) => level < 300)).toBe(true);
  });

  test('fades out: the end is far softer than the last note', () => {
    expect(loudestIn(1_200, 1_300)).toBeLessThan(loudestIn(340, 440) / 4);
  });

  test('is the same every time', () => {
    expect(renderRingTone().samples.equals(tone.samples)).toBe(true);
  });
});
