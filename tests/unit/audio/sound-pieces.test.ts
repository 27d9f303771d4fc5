import { describe, expect, test } from 'vitest';
import { durationMs, type Pcm } from '../../../api/src/audio/pcm.ts';
import { cutAtPauses } from '../../../api/src/audio/sound-pieces.ts';

const rateHz = 16_000;
const limits = { maxMs: 10_000, minMs: 5_000 };

/** Noise with 400 ms of silence from each of these ms on. */
function speech(lengthMs: number, pausesMs: readonly number[]): Pcm {
  const samples = Buffer.alloc((lengthMs * rateHz * 2) / 1_000);
  let seed = 7;
  for (let at = 0; at < samples.length; at += 2) {
    seed = (seed * 16_807) % 2_147_483_647;
    const ms = (at / 2 / rateHz) * 1_000;
    const isPause = pausesMs.some((from) => ms >= from && ms < from + 400);
    samples.writeInt16LE(isPause ? 0 : (seed % 10_000) - 5_000, at);
  }
  return { sampleRateHz: rateHz, samples };
}

describe('a recording in pieces', () => {
  test('stays whole if it is short enough', () => {
    const sound = speech(10_000, []);

    expect([...cutAtPauses(sound, limits)]).toEqual([{ sound, fromMs: 0 }]);
  });

  test('is cut at its pauses, never inside speech', () => {
    const pieces = [...cutAtPauses(speech(25_000, [3_000, 7_000, 16_500]), limits)];

    const [first, second, third] = pieces.map(({ fromMs }) => fromMs);
    expect(pieces).toHaveLength(3);
    expect(first).toBe(0);
    expect([(second ?? 0) > 7_050, (second ?? 0) < 7_350]).toEqual([true, true]);
    expect([(third ?? 0) > 16_550, (third ?? 0) < 16_850]).toEqual([true, true]);
  });

  test('is cut anywhere if it has no pause, and loses nothing', () => {
    const sound = speech(33_333, []);
    const pieces = [...cutAtPauses(sound, limits)];

    expect(Buffer.concat(pieces.map((piece) => piece.sound.samples)).equals(sound.samples)).toBe(true);
    for (const { sound: piece } of pieces) expect(durationMs(piece)).toBeLessThanOrEqual(limits.maxMs);
    for (const { sound: piece } of pieces.slice(0, -1))
      expect(durationMs(piece)).toBeGreaterThanOrEqual(limits.minMs);
  });
});
