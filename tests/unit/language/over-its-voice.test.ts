import { expect, test } from 'vitest';
import { english } from '../../../api/src/language/en/english.ts';
import { spanish } from '../../../api/src/language/es/spanish.ts';
import { createMeantOverVoice } from '../../../api/src/language/over-its-voice.ts';

const meant = createMeantOverVoice({ words: ['stop'], soundsOf: english.soundsOf });

test.each([
  'Stop.',
  'Stop, stop, stop!',
  'Stuff.',
  'Stump',
  'Step.',
  'Stub!',
  'Stopped.',
  'Soap.',
  "It's stop.",
  'It’s stuff.',
])('"%s" counts as "stop" over its voice', (heard) => {
  expect(meant(heard)).toBe('stop');
});

test.each([
  ["It's time.", -2.4, 'stop'],
  ['Good job.', -3.9, 'stop'],
  ["It's time.", -4.1, null],
  ["It's time for a break.", -2.4, null],
  ['', -2.4, null],
])('"%s" with the score %d is %s', (heard, avgLogprob, word) => {
  expect(meant(heard, [{ text: 'Stop.', avgLogprob }])).toBe(word);
});

test('the likeliest of several words counts, in any language', () => {
  const heard = createMeantOverVoice({ words: ['para', 'basta'], soundsOf: spanish.soundsOf });
  const scores = [
    { text: 'Para.', avgLogprob: -2.9 },
    { text: 'Basta.', avgLogprob: -1.7 },
  ];

  expect(heard('Vasto', scores)).toBe('basta');
  expect(heard('Pasa algo', [{ text: 'Para.', avgLogprob: null }])).toBeNull();
});

test.each([
  ...['Yes.', 'No', 'Okay.', 'What?', 'Start.', 'Stay.', 'Still.', 'Test.', 'So?', 'Thanks.', 'Two.', 'Star'],
  ...["It's time.", 'See you.', 'What stuff is that?', 'Take the next step', 'Is that it?', "That's it.", ''],
])('"%s" does not count as "stop" over its voice', (heard) => {
  expect(meant(heard)).toBeNull();
});
