import { describe, expect, test } from 'vitest';
import {
  createInputConverter,
  createOutputConverter,
  formatBody,
  soundFormatOf,
  soundRatesHz,
  type WireFormat,
} from '../../../api/src/realtime/sound-formats.ts';

const formats: WireFormat[] = [
  ...soundRatesHz.map((rate) => soundFormatOf({ type: 'audio/pcm', rate })),
  soundFormatOf({ type: 'audio/pcmu' }),
  soundFormatOf({ type: 'audio/pcma', rate: 16_000 }),
];

/** A second of a tone that all three formats can carry. */
function tone(rateHz: number): Buffer {
  const samples = Buffer.alloc(rateHz * 2);
  for (let at = 0; at < rateHz; at += 1)
    samples.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / rateHz)), at * 2);
  return samples;
}
function loudness(samples: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < samples.length; at += 2) sum += samples.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (samples.length / 2));
}

describe.each(formats)('$type at $rateHz Hz', (format) => {
  test('keeps length and loudness in both directions', () => {
    const output = createOutputConverter(format);
    const bytes = Buffer.concat([output.push(tone(16_000)), output.end()]);
    const heard = createInputConverter(format)(bytes);

    const sampleBytes = format.type === 'audio/pcm' ? 2 : 1;
    expect(bytes.length / sampleBytes / format.rateHz).toBeCloseTo(1, 2);
    // The last few ms are still in the filter.
    expect(heard.length / 32).toBeGreaterThan(985);
    expect(loudness(heard) / loudness(tone(16_000))).toBeCloseTo(1, 1);
  });

  test('is the same in pieces of any size', () => {
    const output = createOutputConverter(format);
    const bytes = Buffer.concat([output.push(tone(16_000)), output.end()]);
    const whole = createInputConverter(format)(bytes);
    const toInput = createInputConverter(format);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 777) pieces.push(toInput(bytes.subarray(at, at + 777)));

    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });
});

test('the loudest telephone samples do not wrap', () => {
  const loud = Buffer.alloc(3_200);
  for (let at = 0; at < loud.length; at += 2) loud.writeInt16LE(at % 64 < 32 ? 32_767 : -32_768, at);
  const telephone = soundFormatOf({ type: 'audio/pcmu' });
  const heard = createInputConverter(telephone)(createOutputConverter(telephone).push(loud));

  expect(loudness(heard)).toBeGreaterThan(20_000);
});

test("a format without a rate has OpenAI's rate, and reports it", () => {
  expect(formatBody(soundFormatOf({ type: 'audio/pcm' }))).toEqual({ type: 'audio/pcm', rate: 24_000 });
  expect(formatBody(soundFormatOf({ type: 'audio/pcm', rate: 48_000 }))).toEqual({
    type: 'audio/pcm',
    rate: 48_000,
  });
  expect(formatBody(soundFormatOf({ type: 'audio/pcmu', rate: null }))).toEqual({ type: 'audio/pcmu' });
});
