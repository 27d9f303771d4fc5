import { describe, expect, test } from 'vitest';
import { createHearing, createSpeaking, type SoundName } from '../../../api/src/realtime/sound-formats.ts';

const rates: Record<SoundName, number> = { 'audio/pcm': 24_000, 'audio/pcmu': 8_000, 'audio/pcma': 8_000 };
const names: SoundName[] = ['audio/pcm', 'audio/pcmu', 'audio/pcma'];

/** A second of a tone that all three can carry. */
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

describe.each(names)('%s', (name) => {
  test('is as long and as loud on the way out and back', () => {
    const speaking = createSpeaking(name);
    const bytes = Buffer.concat([speaking.push(tone(16_000)), speaking.end()]);
    const heard = createHearing(name)(bytes);

    const sampleBytes = name === 'audio/pcm' ? 2 : 1;
    expect(bytes.length / sampleBytes / rates[name]).toBeCloseTo(1, 2);
    // The last few ms are still in the filter.
    expect(heard.length / 32).toBeGreaterThan(985);
    expect(loudness(heard) / loudness(tone(16_000))).toBeCloseTo(1, 1);
  });

  test('is the same in pieces of any size', () => {
    const speaking = createSpeaking(name);
    const bytes = Buffer.concat([speaking.push(tone(16_000)), speaking.end()]);
    const whole = createHearing(name)(bytes);
    const hearing = createHearing(name);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 777) pieces.push(hearing(bytes.subarray(at, at + 777)));

    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });
});

test('the loudest samples of a telephone are not turned over', () => {
  const loud = Buffer.alloc(3_200);
  for (let at = 0; at < loud.length; at += 2) loud.writeInt16LE(at % 64 < 32 ? 32_767 : -32_768, at);
  const heard = createHearing('audio/pcmu')(createSpeaking('audio/pcmu').push(loud));

  expect(loudness(heard)).toBeGreaterThan(20_000);
});
