import { describe, expect, test } from 'vitest';
import { assertNotCutOff, assertReadWhole, explainUnreadable } from '../../../api/src/audio/unreadable.ts';

function box(type: string, content: Buffer = Buffer.alloc(40)): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

function longBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(type, 4, 'latin1');
  head.writeBigUInt64BE(BigInt(16 + content.length), 8);
  return Buffer.concat([head, content]);
}

const endless = (type: string): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from(type)]);
const indexLast = Buffer.concat([box('ftyp'), box('free'), box('mdat'), box('moov')]);
const indexFirst = Buffer.concat([box('ftyp'), box('moov'), box('mdat')]);

test.each([
  ['MP4 with a few bytes behind it', Buffer.concat([indexFirst, Buffer.alloc(3)])],
  ['MP4 whose sound lasts until its end', Buffer.concat([box('ftyp'), box('moov'), endless('mdat')])],
  ['AIFF without the fill byte at its end', Buffer.from('FORM\0\0\0\x0eAIFFSSND\0\0\0\x01s', 'latin1')],
  ['AU of unknown length', Buffer.from(`.snd\0\0\0\x18${'\xff'.repeat(4)}${'\0'.repeat(20)}`, 'latin1')],
  [
    'CAF of unknown length',
    Buffer.from(`caff\0\x01\0\0data${'\xff'.repeat(8)}sound of any length`, 'latin1'),
  ],
  ['WAV of unknown length', Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1')],
])('a whole recording is not cut off: %s', (_, file) => {
  expect(() => assertNotCutOff(file)).not.toThrow();
});

test('an MP4 is cut off in its sound even if its index is whole', () => {
  expect(() => assertNotCutOff(indexFirst.subarray(0, -1))).toThrow('The recording is cut off');
});

describe('a recording without readable sound', () => {
  test.each([
    ['in its index at the end', indexLast.subarray(0, -1)],
    ['before its index at the end', indexLast.subarray(0, 48 * 3)],
    ['in its sound', indexLast.subarray(0, 48 * 2 + 20)],
    ['in the head of a box', indexLast.subarray(0, 48 * 3 + 3)],
    ['after its index at the beginning', indexFirst.subarray(0, 96)],
    ['in a long box', Buffer.concat([box('ftyp'), longBox('mdat', Buffer.alloc(50))]).subarray(0, -9)],
    [
      'before the length of its sound was known',
      Buffer.concat([box('ftyp'), endless('mdat'), Buffer.alloc(50)]),
    ],
    ['as a MOV of old', box('mdat').subarray(0, 30)],
    ['after a few bytes', indexLast.subarray(0, 9)],
  ])('is reported as cut off if an MP4 ends %s', (_, file) => {
    expect(explainUnreadable(file)).toContain('The recording is cut off');
  });

  test.each([
    ['MP4 of the right length', indexLast],
    ['MP4 with long boxes', Buffer.concat([longBox('mdat', Buffer.alloc(50)), box('moov')])],
    ['WAV', Buffer.from('RIFF\0\0\0\0WAVE')],
    ['WAV that ends in its head', Buffer.from('RIFF\0\0')],
    ['Ogg', Buffer.from('OggS\0')],
    ['FLAC', Buffer.from('fLaC')],
    ['WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0])],
    ['AIFF', Buffer.from('FORM\0\0\0\0AIFF')],
    ['CAF', Buffer.from('caff\0\x01')],
  ])('is reported as damaged if it begins as a %s', (_, file) => {
    expect(explainUnreadable(file)).toContain('damaged or cut off');
  });

  test.each([
    'What is the capital of France?',
    '{"audio":1}',
    '',
    'x',
    '<html>',
    'RIFF\0\0\0\0AVI LIST',
    'FORM\0\0\0\0ILBM',
  ])('is answered with the readable formats if it is something else: %j', (text) => {
    expect(explainUnreadable(Buffer.from(text))).toBeUndefined();
  });
});

describe('the length that a header states', () => {
  /** A WAV of AAC with 16,000 frames and 1,000 bytes a second. */
  const wavOf = ({ frames, bytes }: { frames: number; bytes: number }): Buffer => {
    const format = Buffer.alloc(16);
    format.writeUInt16LE(0xff);
    format.writeUInt32LE(16_000, 4);
    format.writeUInt32LE(1_000, 8);
    const chunk = (id: string, content: Buffer) => {
      const size = Buffer.alloc(4);
      size.writeUInt32LE(content.length);
      return Buffer.concat([Buffer.from(id), size, content]);
    };
    const fact = Buffer.alloc(4);
    fact.writeUInt32LE(frames);
    const start = Buffer.from('RIFF\0\0\0\0WAVE');
    return Buffer.concat([
      start,
      chunk('fmt ', format),
      chunk('fact', fact),
      chunk('data', Buffer.alloc(bytes)),
    ]);
  };
  const flacOf = (frames: number): Buffer => {
    const file = Buffer.alloc(42);
    file.write('fLaC');
    file.writeUIntBE(16_000 << 4, 18, 3);
    file.writeUInt32BE(frames, 22);
    return file;
  };

  test.each([
    ['a WAV of 6 s', wavOf({ frames: 96_000, bytes: 5_000 }), 0.2],
    ['a WAV that states its bytes only', wavOf({ frames: 0, bytes: 5_000 }), 0.2],
    ['a WAV of half a second', wavOf({ frames: 8_000, bytes: 500 }), 0.2],
    ['a FLAC of 3 s', flacOf(48_000), 2.9],
  ])('refuses %s of which less was read', (_, file, readSeconds) => {
    expect(() => assertReadWhole(file, readSeconds, 120)).toThrow('Only a part of the recording can be read');
  });

  test.each([
    ['a WAV with a frame less', wavOf({ frames: 96_000, bytes: 6_000 }), 5.9],
    ['a WAV of unknown length', wavOf({ frames: 0xffffffff, bytes: 0 }), 0.2],
    ['a FLAC of unknown length', flacOf(0), 0.2],
    ['a FLAC of 3 s', flacOf(48_000), 3],
    ['a FLAC longer than the limit', flacOf(16_000 * 300), 121],
    ['an Ogg', Buffer.from('OggS'), 0.2],
  ])('takes %s', (_, file, readSeconds) => {
    expect(() => assertReadWhole(file, readSeconds, 120)).not.toThrow();
  });
});
