import { expect, test } from 'vitest';
import { isSecondSentence } from '../../../api/src/listen/second-sentence.ts';

const timer = 'Set a timer for five minutes.';

test.each([
  [timer, 'Set a timer for five minutes and thirty seconds.', false],
  [timer, 'Set a timer for five minutes. And thirty seconds.', true],
  [timer, 'Set a timer for five minutes. What time is it?', true],
  [timer, 'Set the timer for five minutes. What time is it?', false],
  ['Hello. Set a timer.', 'Hello. Set a timer. What time is it?', true],
  ['What time is it', 'What time is it? In Paris?', true],
  ['What time is it?', 'What time is it in Paris?', false],
  [timer, timer, false],
])('%s -> %s: %s', (before, whole, isSecond) => {
  expect(isSecondSentence(before, whole)).toBe(isSecond);
});
