import { expect, test } from 'vitest';
import { secondSentence } from '../../../../api/src/listen/utterance/second-sentence.ts';

const timer = 'Set a timer for five minutes.';

test.each([
  [timer, 'Set a timer for five minutes and thirty seconds.', null],
  [timer, 'Set a timer for five minutes. And thirty seconds.', 'And thirty seconds.'],
  [timer, 'Set a timer for five minutes. What time is it?', 'What time is it?'],
  [timer, 'Set the timer for five minutes. What time is it?', null],
  ['Hello. Set a timer.', 'Hello. Set a timer. Stop! What time is it?', 'Stop! What time is it?'],
  ['What time is it', 'What time is it? In Paris?', 'In Paris?'],
  ['What time is it?', 'What time is it in Paris?', null],
  [timer, timer, null],
])('%s -> %s: %s', (before, whole, second) => {
  expect(secondSentence(before, whole)).toBe(second);
});
