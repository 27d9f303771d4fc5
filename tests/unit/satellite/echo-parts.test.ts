import { describe, expect, test } from 'vitest';
import { createEchoAlignment } from '../../../satellite/echo-alignment.ts';
import { createEchoDelay } from '../../../satellite/echo-delay.ts';
import { createEchoFilter, hopSamples } from '../../../satellite/echo-filter.ts';
import { createEchoGuard } from '../../../satellite/echo-guard.ts';
import { createRealTransform, emptySpectrum } from '../../../satellite/real-transform.ts';
import { spokenClip } from '../../support/audio/spoken-clips.ts';

const frameSamples = 320;
const ms = 16;

function floats(samples: Buffer): Float64Array {
  return Float64Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(2 * at) / 32_768);
}

const answer = floats(Buffer.concat([spokenClip('weather'), spokenClip('hello'), spokenClip('weather')]));
const other = floats(Buffer.concat([spokenClip('stop-stop'), spokenClip('pause'), spokenClip('stop-stop')]));

/** Delayed by this much, and softer; a negative delay is earlier. */
const later = (sound: Float64Array, samples: number): Float64Array =>
  sound.map((_, at) => 0.5 * (sound[at - samples] ?? 0));

function* pieces(length: number, each: number): Generator<[number, number]> {
  for (let at = 0; at + each <= length; at += each) yield [at, at + each];
}

const power = (sound: Float64Array) => sound.reduce((sum, each) => sum + each * each, 0) / sound.length;
const decibels = (one: number, two: number) => 10 * Math.log10(one / Math.max(two, 1e-12));

describe('a real transform', () => {
  test('transforms to frequencies and back', () => {
    const transform = createRealTransform(64);
    const sound = Float64Array.from({ length: 64 }, (_, n) => Math.cos((2 * Math.PI * 5 * n) / 64) + 0.25);
    const [spectrum, back] = [emptySpectrum(64), new Float64Array(64)];

    transform.forward(sound, spectrum);
    transform.backward(spectrum, back);

    const heights = [...spectrum.re].map((re, k) => Math.round(Math.hypot(re, spectrum.im[k] ?? 0)));
    expect(heights.flatMap((height, k) => (height > 0 ? [[k, height]] : []))).toEqual([
      [0, 16],
      [5, 32],
    ]);
    expect(decibels(power(sound), power(sound.map((each, n) => each - (back[n] ?? 0))))).toBeGreaterThan(100);
  });
});

describe('the delay of an echo', () => {
  const found = (captured: Float64Array): number[] => {
    const finder = createEchoDelay();
    return [...pieces(answer.length, frameSamples)].flatMap(
      ([from, to]) => finder.push(answer.subarray(from, to), captured.subarray(from, to)) ?? [],
    );
  };

  test.each([40, 200, 450])('is found at %i ms', (delayMs) => {
    const [first] = found(later(answer, delayMs * ms));

    expect(Math.abs((first ?? 0) - delayMs * ms)).toBeLessThanOrEqual(8);
  });

  test("is not found in another person's speech", () => {
    expect(found(later(other, 0))).toEqual([]);
  });
});

describe('the alignment of an echo', () => {
  const aligned = (captured: Float64Array) => {
    const alignment = createEchoAlignment();
    for (const [from, to] of pieces(answer.length, frameSamples)) {
      const found = alignment.push(captured.subarray(from, to), answer.subarray(from, to));
      if (found !== null) return found;
    }
    return null;
  };

  test.each([0, 1, -130, 640])('is found %i samples later than expected', (samples) => {
    expect(aligned(later(answer, samples))).toBe(samples);
  });

  test('is lost with other sound', () => {
    expect(aligned(other)).toBe('lost');
  });
});

describe('the echo filter', () => {
  const cleaned = (captured: Float64Array): Float64Array => {
    const filter = createEchoFilter();
    const left = new Float64Array(captured.length);
    for (const [from, to] of pieces(captured.length, hopSamples))
      left.set(filter.clean(answer.subarray(from, to), captured.subarray(from, to)), from);
    return left;
  };
  const room = answer.map((_, at) => 0.4 * (answer[at - 90] ?? 0) - 0.2 * (answer[at - 900] ?? 0));
  const lastSecond = (sound: Float64Array) => sound.subarray(answer.length - 16_000);

  test('learns a room', () => {
    const left = cleaned(room);

    expect(decibels(power(lastSecond(room)), power(lastSecond(left)))).toBeGreaterThan(20);
  });

  test("leaves a person's voice unchanged", () => {
    const person = answer.map((_, at) => (at > answer.length - 16_000 ? 0.5 * (other[at % 16_000] ?? 0) : 0));

    const left = cleaned(room.map((sample, at) => sample + (person[at] ?? 0)));

    const change = lastSecond(left).map((sample, at) => sample - (lastSecond(person)[at] ?? 0));
    expect(decibels(power(lastSecond(person)), power(change))).toBeGreaterThan(10);
  });
});

describe('the echo guard', () => {
  const frame = (height: number) => new Float64Array(frameSamples).fill(height);
  const echo = { captured: frame(0.3), suppressed: frame(0.001), subtracted: frame(0.02) };
  const person = { captured: frame(0.3), suppressed: frame(0.2), subtracted: frame(0.25) };
  const settled = () => {
    const worse: true[] = [];
    const guard = createEchoGuard({ onWorse: () => worse.push(true) });
    for (let n = 0; n < 60; n += 1) guard.choose(echo);
    return { guard, worse };
  };

  test('sends nothing of an echo alone', () => {
    expect(settled().guard.choose(echo)).toEqual([echo.suppressed]);
  });

  test("sends a person's voice unchanged, with its missed beginning", () => {
    const { guard } = settled();

    const sent = guard.choose(person);

    expect(sent).toHaveLength(16);
    expect(sent.at(-1)).toBe(person.subtracted);
    expect(power(sent[0] ?? frame(0))).toBeLessThan(power(echo.subtracted));
    expect(guard.choose(person)).toEqual([person.subtracted]);
  });

  test('sends no voice before the room is known', () => {
    const guard = createEchoGuard({ onWorse: () => undefined });

    expect(guard.choose(person)).toEqual([frame(0)]);
  });

  test('relies on the suppression if it cannot subtract', () => {
    const { guard } = settled();

    expect(guard.choose({ ...person, subtracted: null })).toEqual([person.suppressed]);
  });

  test('reports when the subtraction has made it louder', () => {
    const { guard, worse } = settled();

    const sent = guard.choose({ captured: frame(0.01), suppressed: frame(0.01), subtracted: frame(0.9) });

    expect([sent, worse]).toEqual([[frame(0.01)], [true]]);
  });
});
