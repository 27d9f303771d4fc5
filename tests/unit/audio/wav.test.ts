import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWav, writeWav } from '../../../api/src/audio/wav.ts';

const sound = { sampleRateHz: 22_050, samples: Buffer.from([1, 0, 2, 0, 3, 0]) };

describe('wav', () => {
  test('reads back what it wrote', () => {
    expect(readWav(writeWav(sound))).toEqual(sound);
  });

  test.each([0, 0xffffffff])('takes a streamed file with the length %i to its end', (size) => {
    const file = writeWav(sound);
    file.writeUInt32LE(size, 40);

    expect(readWav(file)).toEqual(sound);
  });

  test('takes a file that was cut short as far as it goes', () => {
    expect(readWav(writeWav(sound).subarray(0, -3))?.samples).toEqual(Buffer.from([1, 0]));
  });

  test('passes over chunks that it does not know', () => {
    const file = writeWav(sound);
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');

    expect(readWav(Buffer.concat([file.subarray(0, 36), list, file.subarray(36)]))).toEqual(sound);
  });

  test.each([
    ['two channels', 22, 2],
    ['8 bits', 34, 8],
    ['compression', 20, 2],
  ])('does not take %s for plain sound', (_, at, value) => {
    const file = writeWav(sound);
    file.writeUInt16LE(value, at);

    expect(readWav(file)).toBeNull();
  });

  test('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), bytes]);
        const found = readWav(file);
        return found === null || found.samples.length <= bytes.length;
      }),
    );
  });
});
