import { describe, expect, test } from 'vitest';
import { wordsHeard } from '../../../api/src/engines/heard.ts';
import type { ScoredSegment } from '../../../api/src/engines/stt-client.ts';

const phantoms = ['thank you', 'thanks for watching'];
const hint = 'Set a tea timer for five minutes. Cancel the oven timer. Timers: pasta, oven.';
const sure = { noSpeechProb: 0.02, avgLogprob: -0.1, compressionRatio: 0.9 };
const nothing = { text: '', isSure: false };

type Stretch = Partial<ScoredSegment> & { text: string };

/** What is heard of a transcription in stretches, `reason` as our own server tells it. */
function heard(stretches: Stretch[], reason: string | null = null) {
  const text = stretches.map((stretch) => stretch.text).join(' ');
  const segments = stretches.map((stretch) => ({ ...sure, ...stretch }));
  return wordsHeard({ text, language: 'en', segments, reason }, { phantoms, hint });
}

/** What is heard of words alone. */
function heardBare(text: string) {
  return wordsHeard({ text, language: null, segments: [], reason: null }, { phantoms, hint });
}

describe('wordsHeard', () => {
  test('keeps what was clearly said', () => {
    expect(heard([{ text: 'Thank you.' }])).toEqual({ text: 'Thank you.', isSure: true });
  });

  test('takes dots for silence', () => {
    expect(heard([{ text: ' . ' }])).toEqual(nothing);
  });

  test('takes no stretches for silence', () => {
    expect(heard([])).toEqual(nothing);
  });

  test('drops a stretch in which nobody spoke', () => {
    expect(heard([{ text: 'Stop.' }, { text: 'Amen.', noSpeechProb: 0.9, avgLogprob: -1.2 }])).toEqual({
      text: 'Stop.',
      isSure: true,
    });
  });

  test('keeps a quiet stretch that the model is sure of', () => {
    expect(heard([{ text: 'Stop.', noSpeechProb: 0.7, avgLogprob: -0.3 }])).toEqual({
      text: 'Stop.',
      isSure: true,
    });
  });

  test('drops a stretch that repeats itself', () => {
    expect(heard([{ text: 'ha '.repeat(50), compressionRatio: 20 }])).toEqual(nothing);
  });

  test.each([
    ['may be noise', { noSpeechProb: 0.4 }],
    ['is a guess', { avgLogprob: -0.9 }],
    ['has no score', { noSpeechProb: null }],
  ])('does not believe a phantom phrase that %s', (_, scores) => {
    expect(heard([{ text: 'Thanks for watching!', ...scores }])).toEqual(nothing);
  });

  test('believes a phantom phrase inside a sentence', () => {
    expect(heard([{ text: 'Thank you, and stop.', noSpeechProb: 0.4 }]).isSure).toBe(true);
  });

  test('is not sure of words that the model half believes', () => {
    expect(heard([{ text: 'Put the weather like in Berlin.', avgLogprob: -0.47 }])).toEqual({
      text: 'Put the weather like in Berlin.',
      isSure: false,
    });
  });

  test('is sure of one short word with the same score', () => {
    expect(heard([{ text: 'Stop.', avgLogprob: -0.47 }]).isSure).toBe(true);
  });

  test('is as sure as of the least certain stretch', () => {
    expect(heard([{ text: 'Turn on the lights.' }, { text: 'And milk.', avgLogprob: -0.7 }]).isSure).toBe(
      false,
    );
  });

  test('asks no more of a story than of a long sentence', () => {
    expect(heard([{ text: 'and then we went home '.repeat(20), avgLogprob: -0.2 }]).isSure).toBe(true);
  });

  test('is not sure where our own server guessed twice', () => {
    expect(heard([{ text: 'Add.', avgLogprob: -0.4 }], 'low_confidence').isSure).toBe(false);
  });

  test('is sure where our own server looked twice for another reason', () => {
    expect(heard([{ text: 'Hello.' }], 'repetition').isSure).toBe(true);
  });

  test.each([
    'cancel the oven timer!',
    'Cancel the oven timer. Cancel the oven timer.',
    'Timers: Pasta, oven',
  ])('is not sure of %j out of the hint with a middling score', (text) => {
    expect(heard([{ text, avgLogprob: -0.38 }]).isSure).toBe(false);
  });

  test('is sure of a sentence of the hint that was plainly said', () => {
    expect(heard([{ text: 'Cancel the oven timer.', avgLogprob: -0.3 }])).toEqual({
      text: 'Cancel the oven timer.',
      isSure: true,
    });
  });

  describe('of a server without scores', () => {
    test('takes its word', () => {
      expect(heardBare('Hello.')).toEqual({ text: 'Hello.', isSure: true });
    });

    test('believes no phantom phrase', () => {
      expect(heardBare('Thank you.')).toEqual(nothing);
    });

    test('does not act upon a sentence of the hint', () => {
      expect(heardBare('Set a tea timer for five minutes.').isSure).toBe(false);
    });
  });
});
