import { describe, expect, test } from 'vitest';
import { clarityOf } from '../../../api/src/audio/clarity.ts';
import { toBytes } from '../../../api/src/audio/pcm.ts';

/** A second of a room, a second of a voice, and the room again. */
function recording(voice: number, room: number): { sampleRateHz: number; samples: Buffer } {
  const height = (at: number) => (at >= 16_000 && at < 32_000 ? voice : room);
  const samples = Int16Array.from({ length: 48_000 }, (_, at) => (at % 2 === 0 ? height(at) : -height(at)));
  return { sampleRateHz: 16_000, samples: toBytes(samples) };
}

describe('the clarity of a voice', () => {
  test('is its level above the room noise', () => {
    expect(clarityOf(recording(1_000, 100))).toBeCloseTo(20);
    expect(clarityOf(recording(1_000, 316))).toBeCloseTo(10, 1);
  });

  test('does not depend on the microphone gain', () => {
    expect(clarityOf(recording(10_000, 1_000))).toBeCloseTo(clarityOf(recording(1_000, 100)));
  });

  test('is limited when the room noise is cut out', () => {
    expect(clarityOf(recording(30_000, 0))).toBe(40);
  });

  test('is 0 without sound', () => {
    expect(clarityOf({ sampleRateHz: 16_000, samples: Buffer.alloc(0) })).toBe(0);
  });
});
