import { describe, expect, test } from 'vitest';
import { durationMs, toNumbers } from '../../../api/src/audio/pcm.ts';
import { joinSpeech, startingAtOnce } from '../../../api/src/audio/speech-join.ts';
import { inRow, loudness, quiet, tone } from '../../support/audio/tones.ts';

const spoken = (ms: number, sampleRateHz = 22_050) => tone(400, { ms, sampleRateHz });
const sentence = (sampleRateHz = 22_050) =>
  inRow(quiet(300, sampleRateHz), spoken(500, sampleRateHz), quiet(400, sampleRateHz));

/** The longest silent stretch, in ms. */
function longestPauseMs({ sampleRateHz, samples }: { sampleRateHz: number; samples: Buffer }): number {
  let [longest, now] = [0, 0];
  for (const number of toNumbers(samples)) {
    now = Math.abs(number) < 200 ? now + 1 : 0;
    longest = Math.max(longest, now);
  }
  return (longest / sampleRateHz) * 1_000;
}

describe('joined speech', () => {
  test('has the requested pause between sentences, not the silence of the voice', async () => {
    const whole = await joinSpeech([
      { sound: sentence(), pauseMs: 250 },
      { sound: sentence(), pauseMs: 250 },
    ]);

    // Besides the pause, the join keeps a little of the silence at each edge.
    expect(longestPauseMs(whole)).toBeGreaterThan(250);
    expect(longestPauseMs(whole)).toBeLessThan(350);
    expect(durationMs(whole)).toBeGreaterThan(1_250);
    expect(durationMs(whole)).toBeLessThan(1_500);
  });

  test('does not click if a voice begins or ends in the middle of a wave', async () => {
    const cut = { ...spoken(500), samples: spoken(500).samples.subarray(26, -26) };

    const { samples } = await joinSpeech([
      { sound: cut, pauseMs: 100 },
      { sound: cut, pauseMs: 0 },
    ]);

    const numbers = toNumbers(samples);
    const steps = numbers.map((number, n) => Math.abs(number - (numbers[n - 1] ?? 0)));
    // The tone itself rises by at most 1,823 from one sample to the next.
    expect(Math.max(...steps)).toBeLessThan(1_850);
    expect([numbers[0], numbers.at(-1)]).toEqual([0, 0]);
  });

  test('keeps the loudness of its sentences', async () => {
    const whole = await joinSpeech([{ sound: spoken(500), pauseMs: 0 }]);

    expect(loudness(whole) / loudness(spoken(500))).toBeCloseTo(1, 3);
  });

  test('has the rate of its first sentence, at the pitch of each', async () => {
    const whole = await joinSpeech([
      { sound: sentence(22_050), pauseMs: 100 },
      { sound: sentence(16_000), pauseMs: 100 },
    ]);

    expect(whole.sampleRateHz).toBe(22_050);
    expect(durationMs(whole)).toBeGreaterThan(1_100);
    expect(durationMs(whole)).toBeLessThan(1_300);
  });

  test('skips a sentence without sound', async () => {
    const whole = await joinSpeech([
      { sound: quiet(300, 22_050), pauseMs: 0 },
      { sound: spoken(100), pauseMs: 0 },
    ]);

    expect(durationMs(whole)).toBeLessThan(200);
  });

  test('leaves the sentences themselves unchanged', async () => {
    const sound = spoken(100);
    const before = Buffer.from(sound.samples);

    await joinSpeech([{ sound, pauseMs: 0 }]);

    expect(sound.samples.equals(before)).toBe(true);
  });

  test('is empty without sentences', async () => {
    expect(durationMs(await joinSpeech([]))).toBe(0);
  });
});

describe('trimmed speech', () => {
  test('loses only the silence before it', () => {
    const sound = startingAtOnce(sentence());

    expect(durationMs(sound)).toBeCloseTo(20 + 500 + 400, 0);
  });

  test('is unchanged if it is only silence', () => {
    const silent = quiet(300, 22_050);

    expect(startingAtOnce(silent)).toEqual(silent);
  });
});
