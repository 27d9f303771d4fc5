import { describe, expect, test } from 'vitest';
import {
  breaksOff,
  createVoiceLength,
  hasEnd,
  isFasterThanSpeech,
} from '../../../../api/src/listen/turn-taking/pace.ts';

const nothing = { sound: { sampleRateHz: 16_000, samples: Buffer.alloc(0) }, joined: null };
const started = (fromMs: number, continues = false) =>
  ({ type: 'started', atMs: fromMs + 96, fromMs, continues }) as const;
const paused = (untilMs: number) => ({ type: 'paused', atMs: untilMs + 96, untilMs, ...nothing }) as const;
const resumed = (fromMs: number) => ({ type: 'resumed', atMs: fromMs + 96, fromMs }) as const;
const ended = (untilMs: number) =>
  ({ type: 'ended', atMs: untilMs + 320, untilMs, cause: 'early', ...nothing }) as const;

describe('words that came faster than people speak', () => {
  test.each([
    { text: 'What time is it?', voicedMs: 610, isFaster: true },
    { text: ' Stop.', voicedMs: 192, isFaster: false },
    { text: 'What time is it?', voicedMs: 800, isFaster: false },
    { text: 'Set a timer for 10 minutes.', voicedMs: 1_300, isFaster: false },
    { text: 'Stop.', voicedMs: 400, isFaster: false },
    { text: 'Spiel ein fröhliches Lied', voicedMs: 1_000, isFaster: true },
    { text: '', voicedMs: 0, isFaster: false },
  ])('$text in $voicedMs ms: $isFaster', ({ text, voicedMs, isFaster }) => {
    expect(isFasterThanSpeech({ text }, voicedMs)).toBe(isFaster);
  });

  test.each([
    { avgLogprob: -0.05, voicedMs: 620, isFaster: false },
    { avgLogprob: -0.3, voicedMs: 620, isFaster: true },
    { avgLogprob: -0.3, voicedMs: 700, isFaster: false },
    { avgLogprob: -0.8, voicedMs: 780, isFaster: true },
    { avgLogprob: -0.8, voicedMs: 820, isFaster: false },
    { avgLogprob: -3, voicedMs: 820, isFaster: false },
  ])('a score of $avgLogprob with $voicedMs ms: $isFaster', ({ avgLogprob, voicedMs, isFaster }) => {
    expect(isFasterThanSpeech({ text: 'What time is it?', avgLogprob }, voicedMs)).toBe(isFaster);
  });
});

describe('the end of a transcript', () => {
  test.each([
    ['What time is it?', true],
    ['He said "stop."', true],
    ['What time is', false],
    ['Tell me a...', false],
    ['Tell me I st-', false],
    ['Add milk,', false],
    ['', false],
  ])('%s: %s', (text, isThere) => {
    expect(hasEnd(text)).toBe(isThere);
  });

  test.each([
    ['What timers are r...', true],
    ['Tell me I st-', true],
    ['Tell me a…', true],
    ['What time is', false],
    ['What time is it?', false],
    ['', false],
  ])('%s breaks off: %s', (text, isBroken) => {
    expect(breaksOff(text)).toBe(isBroken);
  });
});

describe('the voiced time', () => {
  test('grows with the speech, and excludes its pauses', () => {
    const voice = createVoiceLength();

    voice.onEdge(started(1_000));
    const during = voice.until(1_500);
    for (const edge of [paused(2_000), resumed(2_400)]) voice.onEdge(edge);
    const resumedFor = voice.until(2_700);
    voice.onEdge(paused(3_000));

    expect([during, resumedFor, voice.until(3_096)]).toEqual([500, 1_300, 1_600]);
  });

  test('continues after a wrong early end, and restarts otherwise', () => {
    const voice = createVoiceLength();

    for (const edge of [started(1_000), paused(2_000), ended(2_000), started(2_500, true), paused(3_000)])
      voice.onEdge(edge);
    const both = voice.until(3_096);
    for (const edge of [ended(3_000), started(6_000), paused(6_700)]) voice.onEdge(edge);

    expect([both, voice.until(6_796)]).toEqual([1_500, 700]);
  });
});
