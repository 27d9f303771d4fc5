import { describe, expect, test } from 'vitest';
import { isSpeech, judgeAnswer, judgeHearing, judgeTurn } from '../../../api/src/check/test-question.ts';

const asked = { question: 'What is the capital of France?', answer: ['paris'] };

const reply = { heard: asked.question, text: 'It is Paris.' };
const spans = { stt: 300, llm: 900 };

describe('the verdict of the check', () => {
  test.each([
    [1, 'ok'],
    [0.8, 'ok'],
    [0.6, 'warning'],
    [0.4, 'failed'],
  ])('on a transcript with %s of the question is %s', (share, state) => {
    const finding = judgeHearing({ text: 'what is the capital', share, tookMs: 900 }, asked.question);

    expect(finding.state).toBe(state);
  });

  test.each([
    ['local', 'It is Paris.', 'ok'],
    ['local', 'It is Parisian weather.', 'failed'],
    ['home', 'It is Paris.', 'warning'],
  ] as const)('on an answer by %s that says "%s" is %s', (via, text, state) => {
    const finding = judgeAnswer({ via, text }, asked, 900);

    expect(finding.state).toBe(state);
  });

  test('names the first failed part of a turn', () => {
    const deaf = judgeTurn(
      {
        reply: { heard: 'mumble', text: '' },
        spans,
        firstSoundMs: null,
        tookMs: 1_500,
      },
      asked,
    );
    const ignorant = judgeTurn(
      {
        reply: { ...reply, text: 'Rome' },
        spans,
        firstSoundMs: null,
        tookMs: 1_500,
      },
      asked,
    );
    const mute = judgeTurn({ reply, spans, firstSoundMs: null, tookMs: 1_500 }, asked);

    expect(deaf).toMatchObject({
      state: 'failed',
      message: 'The speech recognition heard a spoken question as "mumble".',
    });
    expect(ignorant).toMatchObject({ state: 'failed', message: expect.stringContaining('said "Rome"') });
    expect(mute.state).toBe('warning');
  });

  test('does not blame the language model for a misheard question', () => {
    const misheard = { heard: 'What is the capital of trance?', text: 'I do not know that.' };

    const finding = judgeTurn({ reply: misheard, spans, firstSoundMs: 1_400, tookMs: 1_900 }, asked);

    expect(finding).toMatchObject({
      state: 'warning',
      message:
        'The speech recognition heard a spoken question as "What is the capital of trance?", so that is what was answered.',
    });
  });

  test('reports where the time of a successful turn went', () => {
    const finding = judgeTurn({ reply, spans, firstSoundMs: 1_400, tookMs: 1_900 }, asked);

    expect(finding).toEqual({
      state: 'ok',
      message: 'Heard in 0.3 s, answered in 0.9 s, first sound after 1.4 s, all of it after 1.9 s.',
    });
  });

  test.each([
    ['silence', 1_000, 0, false],
    ['a click', 100, 1_000, false],
    ['a sentence', 1_500, 1_000, true],
    ['a speech', 16_000, 1_000, false],
  ])('on %s as our question', (_, ms, level, isOurs) => {
    const samples = Buffer.from(new Int16Array(16 * ms).fill(level).buffer);

    const judged = isSpeech({ samples, sampleRateHz: 16_000 });

    expect(judged).toBe(isOurs);
  });
});
