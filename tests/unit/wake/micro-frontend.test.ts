import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMicroFrontend } from '../../../api/src/wake/micro-frontend.ts';
import { askDetector, referenceSchema } from '../../support/wake/reference.ts';
import { noise, referenceSounds } from '../../support/wake/sounds.ts';

const file = new URL('../../support/wake/reference.json', import.meta.url);
const reference = referenceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const sounds = referenceSounds();

function featuresOf(sound: Int16Array, { pieces = sound.length, stepMs = 10 } = {}): number[][] {
  const frontend = createMicroFrontend(stepMs);
  const frames: number[][] = [];
  for (let at = 0; at < sound.length; at += pieces)
    frontend.push(sound.subarray(at, at + pieces), (features) => frames.push([...features]));
  return frames;
}

describe('the wake word frontend', () => {
  test.each([...sounds.keys()])('computes the features of the C library: %s', (name) => {
    const { features } = askDetector(sounds.get(name) ?? new Int16Array(), []);

    expect(features).toBe(reference[name]?.features);
  });

  test.each([1, 7, 160, 321, 5_000])('returns the same for pieces of %i samples', (pieces) => {
    const sound = noise(300, { level: 0.3 });

    expect(featuresOf(sound, { pieces })).toEqual(featuresOf(sound));
  });

  test('returns a frame for every step once the first window is full', () => {
    const sound = new Int16Array(16_000);

    expect(featuresOf(sound)).toHaveLength(98);
    expect(featuresOf(sound, { stepMs: 20 })).toHaveLength(49);
  });

  test('behaves like new after a reset', () => {
    const sound = noise(300, { level: 0.3 });
    const frontend = createMicroFrontend(10);
    const frames: number[][] = [];
    frontend.push(noise(777, { level: 1, seed: 5 }), () => undefined);

    frontend.reset();
    frontend.push(sound, (features) => frames.push([...features]));

    expect(frames).toEqual(featuresOf(sound));
  });
});
