import { describe, expect, test } from 'vitest';
import { readWakeWordManifest } from '../../../api/src/wake/wake-word.ts';

const micro = {
  probability_cutoff: 0.97,
  sliding_window_size: 5,
  feature_step_size: 10,
  tensor_arena_size: 22_860,
};
const good = {
  type: 'micro',
  wake_word: 'Hey Jarvis',
  author: 'Somebody',
  model: 'hey_jarvis.tflite',
  trained_languages: ['en'],
  version: 2,
  micro,
};

describe('the manifest of a wake word', () => {
  test('contains the phrase and the detection settings', () => {
    expect(readWakeWordManifest(JSON.stringify(good))).toEqual({
      phrase: 'Hey Jarvis',
      modelFile: 'hey_jarvis.tflite',
      languages: ['en'],
      cutoff: 0.97,
      windowSize: 5,
      stepMs: 10,
    });
  });

  test.each<readonly [reason: string, text: string]>([
    ['it is not JSON', '{'],
    ['it does not describe a model of microWakeWord', '[]'],
    ['its type is not "micro"', JSON.stringify({ ...good, type: 'open' })],
    ['it is of version 1, not 2', JSON.stringify({ ...good, version: 1 })],
    ['it does not describe a model of microWakeWord', JSON.stringify({ ...good, micro: null })],
    [
      '"wake_word" must be a text of at most 60 letters',
      JSON.stringify({ ...good, wake_word: 'x'.repeat(61) }),
    ],
    ['"wake_word" must be a text of at most 60 letters', JSON.stringify({ ...good, wake_word: ' ' })],
    ...['../../etc/passwd', '/tmp/x.tflite', 'https://example.org/x.tflite', '..tflite', 'a/b.tflite', 7].map(
      (model) =>
        [
          '"model" must be the name of a .tflite file in the same folder',
          JSON.stringify({ ...good, model }),
        ] as const,
    ),
    ...[0, 1, -1, '0.9', null].map(
      (probability_cutoff) =>
        [
          '"probability_cutoff" must be a number from 0.01 to 0.999',
          JSON.stringify({ ...good, micro: { ...micro, probability_cutoff } }),
        ] as const,
    ),
    ...[0, 101, 1e9].map(
      (sliding_window_size) =>
        [
          '"sliding_window_size" must be a number from 1 to 100',
          JSON.stringify({ ...good, micro: { ...micro, sliding_window_size } }),
        ] as const,
    ),
    [
      'it has a fraction instead of a whole number',
      JSON.stringify({ ...good, micro: { ...micro, feature_step_size: 10.5 } }),
    ],
  ])('is refused with a reason: %s', (reason, text) => {
    expect(() => readWakeWordManifest(text)).toThrow(reason);
  });
});
