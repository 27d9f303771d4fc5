import { describe, expect, test } from 'vitest';
import { assertNotCutOff, explainUnreadable } from '../../../api/src/audio/unreadable.ts';

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
