import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createContinuation, secondSentence } from '../../../../api/src/listen/utterance/second-sentence.ts';
import { createTranscriptClassifier } from '../../../../api/src/respond/skills/transcript-classifier.ts';
import { englishSkills } from '../../../support/skills.ts';

/** Understanding needs no Redis: this client is never connected. */
const judge = createTranscriptClassifier(englishSkills(new Redis({ lazyConnect: true })), () => false);
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

test('an utterance stands alone once its partial transcript shows a new sentence', () => {
  const continuation = createContinuation(timer, judge);

  const partials = ['Set a timer for five', `${timer} And thirty`, `${timer} What time is it`];

  expect(partials.map(continuation.overhear)).toEqual([partials[0], partials[1], 'What time is it']);
  expect(continuation.standsAlone()).toBe(true);
});

test.each([
  ['Set a timer for five minutes and thirty seconds.', true],
  [`${timer} The weather is nice.`, false],
])('%s is one sentence: %s', (whole, isOne) => {
  expect(createContinuation(timer, judge).isIn(whole)).toBe(isOne);
});

test('an utterance without one before it stands alone', () => {
  expect(createContinuation(null, judge).standsAlone()).toBe(true);
});
