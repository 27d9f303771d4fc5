import { describe, expect, test } from 'vitest';
import { asSrt, asVerboseJson, asVtt, joinTranscripts } from '../../../api/src/http/transcript-formats.ts';

const scores = { noSpeechProb: 0.1, avgLogprob: -0.2, compressionRatio: 1 };
const said = (text: string, startS: number, endS: number) => ({
  text,
  language: 'en',
  hasVoice: true,
  segments: [{ text, startS, endS, ...scores }],
  words: [{ text: text.split(' ')[0] ?? '', startS, endS: startS + 0.2 }],
});
const nothing = { text: '', language: null, hasVoice: false, segments: [], words: [] };

const whole = joinTranscripts(
  [
    { transcript: said('Tom & Ann <3 --> you.', 0.5, 2), fromS: 0 },
    { transcript: nothing, fromS: 28 },
    { transcript: said('Good night.', 1.25, 2.5), fromS: 3_600 },
  ],
  3_603,
);

describe("the transcripts of a recording's pieces", () => {
  test('form one, each at the start of its piece', () => {
    expect(whole.text).toBe('Tom & Ann <3 --> you. Good night.');
    expect(whole.segments.map(({ startS, endS }) => [startS, endS])).toEqual([
      [0.5, 2],
      [3_601.25, 3_602.5],
    ]);
    expect(whole.words.map(({ startS }) => startS)).toEqual([0.5, 3_601.25]);
  });

  test('form SRT subtitles', () => {
    expect(asSrt(whole)).toBe(
      '1\n00:00:00,500 --> 00:00:02,000\nTom & Ann <3 --> you.\n\n2\n01:00:01,250 --> 01:00:02,500\nGood night.\n',
    );
  });

  test('form WebVTT subtitles, with escaped characters', () => {
    expect(asVtt(whole)).toBe(
      'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nTom &amp; Ann &lt;3 --&gt; you.\n\n01:00:01.250 --> 01:00:02.500\nGood night.\n',
    );
  });

  test('include segments, words or both', () => {
    const told = (wish: { segments: boolean; words: boolean }) =>
      asVerboseJson(whole, { ...wish, isTranslated: false });
    const keys = (wish: { segments: boolean; words: boolean }) => Object.keys(told(wish));

    expect(keys({ segments: true, words: false })).toContain('segments');
    expect(keys({ segments: true, words: false })).not.toContain('words');
    expect(keys({ segments: false, words: true })).toContain('words');
    expect(told({ segments: true, words: true })).toMatchObject({
      duration: 3_603,
      segments: [{ id: 0 }, { id: 1, avg_logprob: -0.2 }],
      words: [{ word: 'Tom' }, { word: 'Good' }],
    });
  });

  test('are in English after a translation, whatever the spoken language', () => {
    const wish = { segments: false, words: false, isTranslated: true };

    expect(asVerboseJson({ ...whole, language: 'de' }, wish)).toMatchObject({
      task: 'translate',
      language: 'en',
    });
  });
});
