import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleCodings } from '../../../api/src/audio/sample-coding.ts';
import { readAnyWav, readWav, writeWav } from '../../../api/src/audio/wav.ts';
import { chunk, longWavFile, unknownLength, wavFile } from '../../support/audio/wav-files.ts';

const sound = { sampleRateHz: 22_050, samples: Buffer.from([1, 0, 2, 0, 3, 0]) };

describe('wav', () => {
  test('reads back its own output', () => {
    expect(readWav(writeWav(sound))).toEqual(sound);
  });

  test.each([0, 0xffffffff])('reads a streamed file with the length %i to its end', (size) => {
    const file = writeWav(sound);
    file.writeUInt32LE(size, 40);

    expect(readWav(file)).toEqual(sound);
  });

  test('reads a truncated file to its end', () => {
    expect(readWav(writeWav(sound).subarray(0, -3))?.samples).toEqual(Buffer.from([1, 0]));
  });

  test('skips unknown chunks', () => {
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

describe('any wav', () => {
  const data = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]);

  test.each([
    ['8 bits', 1, 8, sampleCodings.unsigned8],
    ['16 bits', 1, 16, sampleCodings.integer16],
    ['20 bits', 1, 20, sampleCodings.integer24],
    ['24 bits', 1, 24, sampleCodings.integer24],
    ['32 bits', 1, 32, sampleCodings.integer32],
    ['floats', 3, 32, sampleCodings.float32],
    ['long floats', 3, 64, sampleCodings.float64],
    ['A-law', 6, 8, sampleCodings.aLaw],
    ['mu-law', 7, 8, sampleCodings.muLaw],
  ])('may have %s', (_, kind, bits, coding) => {
    const shape = { kind, bits, channels: 2, sampleRateHz: 48_000, data };
    const sound = { sampleRateHz: 48_000, channels: 2, coding, data };

    expect(readAnyWav(wavFile(shape))).toEqual(sound);
    expect(readAnyWav(wavFile({ ...shape, isExtensible: true }))).toEqual(sound);
  });

  test('may store its length as files of more than 4 GB do', () => {
    const file = longWavFile({ data }, chunk('LIST', Buffer.from('made by')));

    expect(readAnyWav(file)?.data).toEqual(data);
  });

  test.each([0, 0x7fffffff, 0xffffffff])('may be a stream with the declared length %i', (length) => {
    const file = wavFile({ data });
    const streamed = Buffer.concat([file.subarray(0, 36), unknownLength(file.subarray(36), length)]);

    expect(readAnyWav(unknownLength(streamed, length))?.data).toEqual(data);
  });

  test.each([
    ['no channel', { channels: 0 }],
    ['nine channels', { channels: 9 }],
    ['1 kHz', { sampleRateHz: 1_000 }],
    ['1 MHz', { sampleRateHz: 1_000_000 }],
    ['40 bits', { bits: 40 }],
    ['no bits', { bits: 0 }],
    ['compressed sound', { kind: 2, bits: 4 }],
  ])('cannot have %s', (_, shape) => {
    expect(readAnyWav(wavFile({ ...shape, data }))).toBeNull();
  });

  test('is not found in a file of only tiny chunks', () => {
    const tiny = Buffer.concat(Array.from({ length: 100 }, () => chunk('junk', Buffer.alloc(0))));

    expect(
      readAnyWav(chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), tiny, wavFile({ data }).subarray(12)]))),
    ).toBeNull();
  });

  test('survives any bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom('RIFF', 'RF64'), fc.uint8Array({ maxLength: 200 }), (id, bytes) => {
        const file = Buffer.concat([Buffer.from(`${id}\0\0\0\0WAVE`), bytes]);
        const found = readAnyWav(file);
        return found === null || found.data.length <= bytes.length;
      }),
    );
  });
});
