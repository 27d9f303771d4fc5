import { describe, expect, test } from 'vitest';
import { wordsHeard } from '../../../api/src/engines/heard.ts';
import type { ScoredSegment } from '../../../api/src/engines/stt-client.ts';

const sure = { noSpeechProb: 0.02, avgLogprob: -0.2, compressionRatio: 0.9 };
const heard = (...segments: (Partial<ScoredSegment> & { text: string })[]) =>
  wordsHeard({
    text: segments.map(({ text }) => text).join(' '),
    language: 'en',
    segments: segments.map((segment) => ({ ...sure, ...segment })),
  });

describe('wordsHeard', () => {
  test('keeps what was clearly said', () => {
    expect(heard({ text: 'Thank you.' })).toBe('Thank you.');
  });

  test('takes dots for silence', () => {
    expect(heard({ text: ' . ' })).toBe('');
  });

  test('drops a stretch in which nobody spoke', () => {
    expect(heard({ text: 'Stop.' }, { text: 'Amen.', noSpeechProb: 0.9, avgLogprob: -1.2 })).toBe('Stop.');
  });

  test('keeps a quiet stretch that the model is sure of', () => {
    expect(heard({ text: 'Stop.', noSpeechProb: 0.7, avgLogprob: -0.3 })).toBe('Stop.');
  });

  test('drops a stretch that repeats itself', () => {
    expect(heard({ text: 'ha '.repeat(50), compressionRatio: 20 })).toBe('');
  });

  test('does not believe a phantom phrase that may be noise', () => {
    expect(heard({ text: 'Thanks for watching!', noSpeechProb: 0.4 })).toBe('');
  });

  test('takes a server without scores at its word', () => {
    expect(wordsHeard({ text: 'Hello.', language: null, segments: [] })).toBe('Hello.');
  });
});
