import { describe, expect, test } from 'vitest';
import { l16Coding } from '../../../api/src/audio/byte-order.ts';
import { sampleCodings } from '../../../api/src/audio/sample-coding.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const { integer16, integer16BigEndian } = sampleCodings;
const swapped = (samples: Buffer) => Buffer.from(samples).swap16();
const quieter = (samples: Buffer) => {
  const soft = Buffer.alloc(samples.length);
  for (let at = 0; at < soft.length; at += 2) soft.writeInt16LE(Math.round(samples.readInt16LE(at) / 50), at);
  return soft;
};
/** One channel of speech beside a silent one. */
const besideSilence = (samples: Buffer) => {
  const both = Buffer.alloc(samples.length * 2);
  for (let at = 0; at < samples.length; at += 2) both.writeInt16LE(samples.readInt16LE(at), at * 2);
  return both;
};

describe.each(['hello', 'weather', 'stop-stop', 'pause'] as const)('the byte order of "%s"', (name) => {
  const speech = spokenClip(name);
  test.each([
    ['as it is', speech, 1],
    ['so quiet that the high bytes say nothing but the sign', quieter(speech), 1],
    ['with a long silence in front', Buffer.concat([quiet(20_000), speech]), 1],
    ['in one channel of two', besideSilence(speech), 2],
  ])('is detected from its sound, %s', (_, samples, channels) => {
    expect(l16Coding(samples, channels)).toBe(integer16);
    expect(l16Coding(swapped(samples), channels)).toBe(integer16BigEndian);
  });
});

test.each([
  ['silence', quiet(1_000)],
  ['noise', fan(1_000)],
  ['nothing', Buffer.alloc(0)],
  ['half a sample', Buffer.alloc(1)],
])('%s has the byte order of its RFC', (_, samples) => {
  expect(l16Coding(samples, 1)).toBe(integer16BigEndian);
});
