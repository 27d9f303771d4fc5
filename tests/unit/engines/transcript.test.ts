import { describe, expect, test } from 'vitest';
import type { ScoredSegment } from '../../../api/src/engines/stt-transcription.ts';
import { isSureOfEnd, transcriptOf } from '../../../api/src/engines/transcript.ts';

const hallucinations = ['thank you', 'thanks for watching'];
const hint = 'Set a tea timer for five minutes. Cancel the oven timer. Timers: pasta, oven.';
const sure = { startS: null, endS: null, noSpeechProb: 0.02, avgLogprob: -0.1, compressionRatio: 0.9 };
const nothing = { text: '', isSure: false };

type Stretch = Partial<ScoredSegment> & { text: string };

/** The transcript of a transcription in segments, `reason` as in our own server. */
function transcript(stretches: Stretch[], reason: string | null = null) {
  const text = stretches.map((stretch) => stretch.text).join(' ');
  const segments = stretches.map((stretch) => ({ ...sure, ...stretch }));
  return transcriptOf({ text, language: 'en', hasVoice: true, segments, reason }, { hallucinations, hint });
}

/** The transcript from words alone. */
function bareTranscript(text: string) {
  return transcriptOf(
    { text, language: null, hasVoice: false, segments: [], reason: null },
    { hallucinations, hint },
  );
}

describe('a transcript', () => {
  test('keeps clear speech', () => {
    expect(transcript([{ text: 'Thank you.' }])).toEqual({
      text: 'Thank you.',
      isSure: true,
      avgLogprob: -0.1,
    });
  });

  test('is silence if it has only dots', () => {
    expect(transcript([{ text: ' . ' }])).toEqual(nothing);
  });

  test('is silence without segments', () => {
    expect(transcript([])).toEqual(nothing);
  });

  test('drops a segment without speech', () => {
    expect(transcript([{ text: 'Stop.' }, { text: 'Amen.', noSpeechProb: 0.9, avgLogprob: -1.2 }])).toEqual({
      text: 'Stop.',
      isSure: true,
      avgLogprob: -0.1,
    });
  });

  test('keeps a quiet segment that the model is sure of', () => {
    expect(transcript([{ text: 'Stop.', noSpeechProb: 0.7, avgLogprob: -0.3 }])).toEqual({
      text: 'Stop.',
      isSure: true,
      avgLogprob: -0.3,
    });
  });

  test('drops a segment that repeats itself', () => {
    expect(transcript([{ text: 'ha '.repeat(50), compressionRatio: 20 }])).toEqual(nothing);
  });

  test.each([
    ['may be noise', { noSpeechProb: 0.4 }],
    ['is a guess', { avgLogprob: -0.9 }],
    ['has no score', { noSpeechProb: null }],
  ])('drops a known hallucination that %s', (_, scores) => {
    expect(transcript([{ text: 'Thanks for watching!', ...scores }])).toEqual(nothing);
  });

  test('keeps a known hallucination inside a sentence', () => {
    expect(transcript([{ text: 'Thank you, and stop.', noSpeechProb: 0.4 }]).isSure).toBe(true);
  });

  test('is unsure of words that the model half believes', () => {
    expect(transcript([{ text: 'Put the weather like in Berlin.', avgLogprob: -0.47 }])).toEqual({
      text: 'Put the weather like in Berlin.',
      isSure: false,
      avgLogprob: -0.47,
    });
  });

  test('is sure of one short word with the same score', () => {
    expect(transcript([{ text: 'Stop.', avgLogprob: -0.47 }]).isSure).toBe(true);
  });

  test('is as sure as its least certain segment', () => {
    expect(
      transcript([{ text: 'Turn on the lights.' }, { text: 'And milk.', avgLogprob: -0.7 }]).isSure,
    ).toBe(false);
  });

  test('requires no more of a story than of a long sentence', () => {
    expect(transcript([{ text: 'and then we went home '.repeat(20), avgLogprob: -0.2 }]).isSure).toBe(true);
  });

  test('is unsure if our own server guessed twice', () => {
    expect(transcript([{ text: 'Add.', avgLogprob: -0.4 }], 'low_confidence').isSure).toBe(false);
  });

  test('is sure if our own server decoded twice for another reason', () => {
    expect(transcript([{ text: 'Hello.' }], 'repetition').isSure).toBe(true);
  });

  test.each([
    'cancel the oven timer!',
    'Cancel the oven timer. Cancel the oven timer.',
    'Timers: Pasta, oven',
  ])('is unsure of %j from the hint with a middling score', (text) => {
    expect(transcript([{ text, avgLogprob: -0.38 }]).isSure).toBe(false);
  });

  test('is sure of a clear sentence from the hint', () => {
    expect(transcript([{ text: 'Cancel the oven timer.', avgLogprob: -0.3 }])).toEqual({
      text: 'Cancel the oven timer.',
      isSure: true,
      avgLogprob: -0.3,
    });
  });

  describe('of a server without scores', () => {
    test('is trusted', () => {
      expect(bareTranscript('Hello.')).toEqual({ text: 'Hello.', isSure: true });
    });

    test('contains no known hallucination', () => {
      expect(bareTranscript('Thank you.')).toEqual(nothing);
    });

    test('does not act upon a sentence of the hint', () => {
      expect(bareTranscript('Set a tea timer for five minutes.').isSure).toBe(false);
    });
  });
});

describe('the request after a wake word', () => {
  /** A transcript whose wake word is misspelled, with the probability of each word. */
  const heard = (
    words: readonly (readonly [text: string, probability: number | null])[],
    avgLogprob = -0.6,
  ) => {
    const text = words.map(([word]) => word).join(' ');
    const timed = words.map(([word, probability], n) => ({
      text: word,
      startS: n,
      endS: n + 1,
      probability,
    }));
    return transcriptOf(
      {
        text,
        language: 'en',
        hasVoice: true,
        reason: null,
        segments: [{ ...sure, text, avgLogprob }],
        words: timed,
      },
      { hallucinations, hint },
    );
  };
  const word = [
    ['Okay,', 0.45],
    ['now', 0.6],
    ['boot,', 0.1],
  ] as const;

  test('is certain if its own words are', () => {
    const transcript = heard([
      ...word,
      ['how', 0.9],
      ['far', 0.99],
      ['is', 0.9],
      ['the', 0.95],
      ['moon?', 0.9],
    ]);

    expect([transcript.isSure, isSureOfEnd(transcript, 'how far is the moon?')]).toEqual([false, true]);
  });

  test('is uncertain if its own words are', () => {
    const transcript = heard([
      ...word,
      ['how', 0.4],
      ['far', 0.3],
      ['is', 0.6],
      ['the', 0.5],
      ['mint?', 0.1],
    ]);

    expect(isSureOfEnd(transcript, 'how far is the mint?')).toBe(false);
  });

  test('is as certain as the whole without scores of words', () => {
    const scored = [...word, ['stop.', null]] as const;

    expect(isSureOfEnd(heard(scored), 'stop.')).toBe(false);
    expect(isSureOfEnd(heard(scored, -0.1), 'stop.')).toBe(true);
    expect(isSureOfEnd({ text: 'Okay Nabu, stop.', isSure: false }, 'stop.')).toBe(false);
  });

  test('is not judged by the word alone', () => {
    expect(isSureOfEnd(heard(word, -0.9), '')).toBe(false);
  });
});
