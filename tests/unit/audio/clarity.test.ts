import { describe, expect, test } from 'vitest';
import { clarityOf } from '../../../api/src/audio/clarity.ts';
import { toBytes } from '../../../api/src/audio/pcm.ts';

/** A second of a room, a second of a voice, and the room again. */
function recording(voice: number, room: number): { sampleRateHz: number; samples: Buffer } {
  const height = (at: number) => (at >= 16_000 && at < 32_000 ? voice : room);
  const samples = Int16Array.from({ length: 48_000 }, (_, at) => (at % 2 === 0 ? height(at) : -height(at)));
  return { sampleRateHz: 16_000, samples: toBytes(samples) };
}

describe('how well a voice was heard', () => {
  test('is how far it stands out of its room', () => {
    expect(clarityOf(recording(1_000, 100))).toBeCloseTo(20);
    expect(clarityOf(recording(1_000, 316))).toBeCloseTo(10, 1);
  });

  test('is the same where the microphone is set louder', () => {
    expect(clarityOf(recording(10_000, 1_000))).toBeCloseTo(clarityOf(recording(1_000, 100)));
  });

  test('is no better than possible where the room is cut out', () => {
    expect(clarityOf(recording(30_000, 0))).toBe(40);
  });

  test('is nothing where there is no sound', () => {
    expect(clarityOf({ sampleRateHz: 16_000, samples: Buffer.alloc(0) })).toBe(0);
  });
});
