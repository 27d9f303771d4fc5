import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createFlacStream } from '../../../api/src/audio/flac-stream.ts';
import { toBytes } from '../../../api/src/audio/pcm.ts';
import { ffmpegPath } from '../../support/audio/recordings.ts';

/** The samples that ffmpeg reads from a FLAC file. */
function decoded(file: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const args = [
      '-v',
      'error',
      '-err_detect',
      'crccheck+explode',
      '-f',
      'flac',
      '-i',
      'pipe:0',
      '-f',
      's16le',
      'pipe:1',
    ];
    const options = { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 } as const;
    const child = execFile(ffmpegPath, args, options, (error, out) => (error ? reject(error) : resolve(out)));
    child.stdin?.end(file);
  });
}

const noise = (length: number) => {
  let seed = 7;
  return toBytes(
    Int16Array.from({ length }, () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) & 0xffff;
    }),
  );
};

describe('a FLAC stream', () => {
  test('decodes sample by sample, from pieces of any size', async () => {
    const samples = noise(300_001);
    const stream = createFlacStream({ sampleRateHz: 48_000 });
    const made: Buffer[] = [];
    for (let at = 0; at < samples.length; at += 6_402)
      made.push(stream.push(samples.subarray(at, at + 6_402)));
    made.push(stream.end());

    expect((await decoded(Buffer.concat(made))).equals(samples)).toBe(true);
  });

  test('emits each block when it is full', () => {
    const stream = createFlacStream({ sampleRateHz: 48_000 });

    const sizes = [stream.push(noise(1_000)), stream.push(noise(152)), stream.push(noise(10))].map(
      ({ length }) => length,
    );

    expect(sizes).toEqual([42, 1_152 * 2 + 11, 0]);
  });

  test('is a whole file even without sound', () => {
    expect(createFlacStream({ sampleRateHz: 48_000 }).end()).toHaveLength(42);
  });
});
