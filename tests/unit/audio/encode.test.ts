import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createEncoder, encodedRateHz } from '../../../api/src/audio/encode.ts';
import { withSampleCount } from '../../../api/src/audio/flac-stream.ts';
import { canRecord, ffmpegPath } from '../../support/audio/recordings.ts';

const { signal } = new AbortController();
const samples = Buffer.alloc(2 * encodedRateHz);

async function* inPieces(...pieces: readonly Buffer[]) {
  yield* pieces;
}

const encode = async (format: 'wav' | 'flac', ...pieces: readonly Buffer[]) => {
  const sound = { samples: inPieces(...pieces), isOnePiece: pieces.length === 1, signal };
  return buffer(await createEncoder({ ffmpegPath }).encode(format, sound));
};

describe('the length in an audio file', () => {
  test('is exact in a complete WAV, and "to the end" in a streamed one', async () => {
    const [whole, streamed] = [await encode('wav', samples), await encode('wav', samples, samples)];

    expect(whole.readUInt32LE(40)).toBe(samples.length);
    expect(streamed.readUInt32LE(40)).toBe(0xffffffff);
  });

  // ffmpeg is a large program: its first start after a while may take seconds.
  test.runIf(canRecord)('is exact in a complete FLAC', { timeout: 60_000 }, async () => {
    const [whole, streamed] = [await encode('flac', samples), await encode('flac', samples, samples)];

    expect(whole.toString('latin1', 0, 4)).toBe('fLaC');
    expect(whole.readUInt32BE(22)).toBe(encodedRateHz);
    expect(streamed.readUInt32BE(22)).toBe(0);
  });

  test('is written into a FLAC for any split of its bytes', async () => {
    const file = Buffer.from(Array.from({ length: 60 }, (_, n) => n));
    const expected = Buffer.from(file);
    expected.writeUInt32BE(48_000, 22);
    for (const size of [1, 7, 22, 25, 26, 60]) {
      const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, n) =>
        Buffer.from(file.subarray(n * size, (n + 1) * size)),
      );

      const written = await buffer(withSampleCount(inPieces(...pieces), 48_000));

      expect(written).toEqual(expected);
    }
  });
});
