import { describe, expect, test } from 'vitest';
import { loadEchoCanceller } from '../../../satellite/echo-canceller.ts';
import type { Loudspeaker } from '../../../satellite/loudspeaker.ts';
import { spokenClip } from '../../support/audio/spoken-clips.ts';
import { seeded } from '../../support/wake/sounds.ts';

const frameBytes = 640;

/** A loudspeaker that records what it plays. */
function loudspeaker() {
  const played: Buffer[] = [];
  const stopped: boolean[] = [];
  const device: Loudspeaker = {
    begin: () => ({
      play: (samples) => void played.push(samples),
      end: () => undefined,
      stop: () => void stopped.push(true),
      playedMs: Promise.resolve(7),
    }),
    close: () => undefined,
  };
  return { device, played, stopped };
}

async function canceller() {
  const loaded = await loadEchoCanceller();
  if (!loaded) throw new Error('npm ci in satellite/ brings it');
  return loaded;
}

const answer = Buffer.concat([spokenClip('weather'), spokenClip('hello'), spokenClip('weather')]);
const person = spokenClip('stop-stop');

/** The microphone's signal this much later, and a person who speaks from a moment on. */
function recorded(delayMs: number, personFromMs = Number.POSITIVE_INFINITY, played = answer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + frameBytes <= answer.length; at += frameBytes) {
    const frame = Buffer.alloc(frameBytes);
    for (let byte = 0; byte < frameBytes; byte += 2) {
      const echo = sampleAt(played, at + byte - delayMs * 32);
      const voice = sampleAt(person, at + byte - personFromMs * 32);
      frame.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(echo * 0.7 + voice * 0.5))), byte);
    }
    frames.push(frame);
  }
  return frames;
}

const sampleAt = (sound: Buffer, at: number) =>
  at >= 0 && at + 1 < sound.length ? sound.readInt16LE(at) : 0;

const next = seeded(3);
/** The noise of a microphone in a quiet room. */
function hiss(): Buffer {
  const frame = Buffer.alloc(frameBytes);
  for (let at = 0; at < frameBytes; at += 2) frame.writeInt16LE(Math.round((2 * next() - 1) * 30), at);
  return frame;
}

function added(one: Buffer, other: Buffer): Buffer {
  const sum = Buffer.alloc(frameBytes);
  for (let at = 0; at < frameBytes; at += 2) {
    const sample = one.readInt16LE(at) + other.readInt16LE(at);
    sum.writeInt16LE(Math.max(-32_768, Math.min(32_767, sample)), at);
  }
  return sum;
}

function power(frames: readonly Buffer[]): number {
  const all = Buffer.concat(frames);
  let sum = 0;
  for (let at = 0; at < all.length; at += 2) sum += all.readInt16LE(at) ** 2;
  return sum / (all.length / 2);
}

function energy(frames: readonly Buffer[]): number {
  return (power(frames) * Buffer.concat(frames).length) / 2;
}

/** Between two answers. */
const pause = Array.from({ length: 60 }, () => Buffer.alloc(frameBytes));

const decibels = (one: number, other: number) => 10 * Math.log10(one / Math.max(1, other));

describe('the echo canceller', () => {
  test.each([40, 200, 450])('removes an answer that comes back %i ms later', async (delayMs) => {
    const aec = await canceller();
    aec.around(loudspeaker().device).begin().play(answer);
    const heard = recorded(delayMs);

    const sent = heard.map(aec.clean);

    expect(decibels(power(heard), power(sent))).toBeGreaterThan(20);
  });

  test('keeps a person who speaks over it, however late the sound card starts this time', async () => {
    const aec = await canceller();
    const speak = () => aec.around(loudspeaker().device).begin().play(answer);
    speak();
    for (const frame of [...recorded(120), ...pause]) aec.clean(frame);

    speak();
    const alone = recorded(145).map(aec.clean);
    for (const frame of pause) aec.clean(frame);
    speak();
    const over = recorded(110, 2_000).map(aec.clean);

    // The person was recorded at half the loudness: 6 dB.
    expect(Math.abs(decibels(energy([person]), energy(over)) - 6)).toBeLessThan(1.5);
    expect(decibels(energy(over), energy(alone))).toBeGreaterThan(20);
  });

  test('soon hears a person over the very first answer if none of it comes back', async () => {
    const aec = await canceller();
    const still = Array.from({ length: 100 }, hiss);
    for (const frame of still) aec.clean(frame);
    aec.around(loudspeaker().device).begin().play(answer);

    const silence = Buffer.alloc(answer.length);
    const heard = recorded(0, 1_200, silence).map((frame) => added(frame, hiss()));
    const sent = heard.map(aec.clean);

    const spoken = heard.slice(1_200 / 20);
    expect(decibels(energy(spoken), energy(sent.slice(1_200 / 20)))).toBeLessThan(0.5);
  });

  test('hears nothing over the very first answer while its echo is unknown, however softly it starts', async () => {
    const aec = await canceller();
    for (let n = 0; n < 100; n += 1) aec.clean(hiss());
    const growing = Buffer.from(answer);
    for (let at = 0; at < growing.length; at += 2)
      growing.writeInt16LE(Math.round(answer.readInt16LE(at) * Math.min(1, 0.02 + at / 64_000)), at);
    aec.around(loudspeaker().device).begin().play(growing);

    const heard = recorded(150, Number.POSITIVE_INFINITY, growing).map((frame) => added(frame, hiss()));
    const sent = heard.map(aec.clean);

    expect(decibels(energy(heard), energy(sent))).toBeGreaterThan(20);
  });

  test('leaves the microphone alone while nothing plays, and for a second afterwards', async () => {
    const aec = await canceller();
    const frame = answer.subarray(0, frameBytes);
    const before = aec.clean(frame);
    aec.around(loudspeaker().device).begin().play(frame);

    const meanwhile = Array.from({ length: 51 }, () => aec.clean(frame));
    const after = aec.clean(frame);

    expect(before).toBe(frame);
    expect(meanwhile.slice(0, 50)).not.toContain(frame);
    expect(after).toBe(frame);
  });

  test('plays the given sound on the loudspeaker, and stops it', async () => {
    const { device, played, stopped } = loudspeaker();
    const speech = (await canceller()).around(device).begin();

    speech.play(person);
    speech.stop();

    expect(played).toEqual([person]);
    expect(stopped).toEqual([true]);
    expect(await speech.playedMs).toBe(7);
  });
});
