import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../api/src/audio/decode.ts';
import { flacOf } from '../../../api/src/check/flac.ts';
import { hasOneOf, shareTranscribed } from '../../../api/src/check/words.ts';
import { equalWeights, ffmpegPath } from '../../support/audio/recordings.ts';
import { tone } from '../../support/audio/tones.ts';

describe('the score of a transcript', () => {
  test.each([
    ['What is the capital of France?', 'what is the capital of france', 1],
    ['What is the capital of France?', '', 0],
    ['What is the capital of France?', 'Bananas grow on trees.', 0],
    ['What is the capital of France?', 'What is the capital of Spain?', 5 / 6],
    ['Stop.', 'Stop. Stop. Stop. Stop.', 1 / 4],
    ['', '', 1],
    ['', 'Thank you.', 0],
  ])('for "%s" heard as "%s" is %f', (said, transcript, share) => {
    expect(shareTranscribed(said, transcript)).toBeCloseTo(share);
  });
});

describe('a FLAC file of ours', () => {
  // ffmpeg is a large program: its first start after a while may take seconds.
  test('decodes in ffmpeg to the same sound', { timeout: 60_000 }, async () => {
    const { samples } = tone(440, { ms: 500 });
    const decoder = createDecoder({ ffmpegPath, maxSeconds: 10, maxAtOnce: 1, weighChannels: equalWeights });

    const read = await decoder.decode(flacOf(samples), 'audio/flac', new AbortController().signal);

    expect(read.samples.equals(samples)).toBe(true);
  });
});

test.each([
  ['The capital is Paris.', ['paris'], true],
  ['The Parisians say so.', ['paris'], false],
  ['法国的首都是巴黎。', ['巴黎'], true],
  ['法国的首都是黎巴。', ['巴黎'], false],
  ['फ्रांस की राजधानी पेरिस है।', ['पेरिस'], true],
  ['เมืองหลวงของฝรั่งเศสคือปารีส', ['ปารีส'], true],
])('finds one of the words in an answer: "%s"', (text, words, isThere) => {
  expect(hasOneOf(text, words)).toBe(isThere);
});

test('compares a language without spaces letter by letter', () => {
  expect(shareTranscribed('法国的首都是哪里？', '法国的首都在哪里')).toBeCloseTo(7 / 8);
});
