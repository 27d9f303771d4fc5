import { expect, test } from 'vitest';
import { toOurRate } from '../../../satellite/house-voice.ts';

/** A tone of 24 kHz, a second long. */
const tone = (hz: number) =>
  Buffer.from(
    Int16Array.from({ length: 24_000 }, (_, n) => 8_000 * Math.sin((2 * Math.PI * hz * n) / 24_000)).buffer,
  );

function loudness(sound: Buffer): number {
  let sum = 0;
  for (let at = 0; at < sound.length; at += 2) sum += sound.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (sound.length / 2));
}

test('a second of 24 kHz becomes a second of 16 kHz, equally loud', () => {
  const sound = toOurRate(tone(1_000));

  expect(sound.length).toBe(32_000);
  expect(loudness(sound) / loudness(tone(1_000))).toBeCloseTo(1, 1);
});

test('frequencies that 16 kHz cannot hold do not alias', () => {
  expect(loudness(toOurRate(tone(11_000)))).toBeLessThan(0.05 * loudness(tone(11_000)));
});
