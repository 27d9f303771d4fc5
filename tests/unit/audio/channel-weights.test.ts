import { describe, expect, test } from 'vitest';
import { createChannelWeigher, createRunningWeights } from '../../../api/src/audio/channel-weights.ts';
import { type RawSound, sampleCodings } from '../../../api/src/audio/sample-coding.ts';
import { loadVad } from '../../../api/src/audio/vad.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const weigh = createChannelWeigher({ vad: await loadVad() });
const { signal } = new AbortController();

/** A recording of these channels, as long as the longest of them. */
function recordingOf(...channels: readonly Buffer[]): RawSound {
  const frames = Math.max(...channels.map(({ length }) => length / 2));
  const data = Buffer.alloc(frames * channels.length * 2);
  for (const [channel, samples] of channels.entries()) {
    for (let at = 0; at < samples.length; at += 2)
      samples.copy(data, at * channels.length + 2 * channel, at, at + 2);
  }
  return { sampleRateHz: 16_000, channels: channels.length, coding: sampleCodings.integer16, data };
}

function times(sound: Buffer, gain: number): Buffer {
  const changed = Buffer.alloc(sound.length);
  for (let at = 0; at < sound.length; at += 2)
    changed.writeInt16LE(Math.round(sound.readInt16LE(at) * gain), at);
  return changed;
}

/** Chords of changing notes. */
function music(ms: number): Buffer {
  const sound = quiet(ms);
  const notes = [262, 330, 392, 523, 440, 349];
  for (let at = 0; at < sound.length / 2; at += 1) {
    const beat = Math.floor(at / 4_000);
    const chord = [0, 2, 4].map((step) => notes[(beat + step) % notes.length] ?? 262);
    const wave = chord.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * at) / 16_000), 0) / 3;
    sound.writeInt16LE(Math.round(28_000 * wave * (1 - (at % 4_000) / 5_000)), 2 * at);
  }
  return sound;
}

const voice = spokenClip('weather');
const soft = times(voice, 0.1);
const others = spokenClip('hello');

describe('a mixdown of several channels', () => {
  test.each([
    ['the only channel', [voice], [1]],
    ['the mean of equal channels', [voice, voice], [0.5, 0.5]],
    ['both of two opposite channels', [voice, times(voice, -1)], [0.5, -0.5]],
    ['both of two opposite channels of other loudness', [times(voice, -0.5), voice], [-0.5, 0.5]],
    ['the one with sound', [quiet(1_500), voice], [0, 1]],
    ['a voice beside a loud fan', [times(voice, 0.02), fan(2_000, 0.9)], [1, 0]],
    ['a voice beside loud music', [music(2_000), times(voice, 0.02)], [0, 1]],
    [
      'a voice in the last of four',
      [fan(2_000, 0.5), quiet(10), music(2_000), times(voice, 0.05)],
      [0, 0, 0, 1],
    ],
    [
      'both of two opposite channels beside loud music',
      [soft, times(soft, -1), music(2_000)],
      [0.5, -0.5, 0],
    ],
    ['the mean of noises', [fan(1_000), Buffer.concat([quiet(3), fan(1_000, 0.4)])], [0.5, 0.5]],
    ['nothing of silence', [quiet(500), quiet(500)], [0, 0]],
  ])('is %s', async (_, channels, weights) => {
    expect(await weigh(recordingOf(...channels), signal)).toEqual(weights);
  });

  test('contains every person equally loud if each has a separate channel', async () => {
    const call = recordingOf(voice, Buffer.concat([quiet(1_600), times(others, 0.1)]));

    const [near = 0, far = 0] = await weigh(call, signal);

    expect(near).toBe(0.5);
    expect(far).toBeGreaterThan(3 * near);
  });

  test('stops when the caller leaves', async () => {
    const gone = AbortSignal.abort(new Error('hung up'));

    await expect(weigh(recordingOf(voice, fan(1_000)), gone)).rejects.toThrow('hung up');
  });
});

describe('a mixdown in pieces', () => {
  const voice = music(200);

  test('stays audible with one inverted side, also after a silent piece', () => {
    const weightsOf = createRunningWeights();

    expect(weightsOf(recordingOf(quiet(20), quiet(20)))).toEqual([0, 0]);
    const weights = weightsOf(recordingOf(voice, times(voice, -1)));

    expect(Math.abs((weights[0] ?? 0) - (weights[1] ?? 0))).toBe(1);
  });

  test('is the mean of similar channels, without silent ones', () => {
    expect(createRunningWeights()(recordingOf(voice, voice, quiet(200)))).toEqual([0.5, 0.5, 0]);
  });

  test('keeps its signs in a piece that is too short to decide', () => {
    const weightsOf = createRunningWeights();
    const inverted = weightsOf(recordingOf(voice, times(voice, -1)));

    expect(weightsOf(recordingOf(quiet(10), quiet(10)))).toEqual(inverted);
  });
});
