import { expect, test } from 'vitest';
import { english } from '../../../api/src/language/en/english.ts';
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
  ...['Yes.', 'No', 'Okay.', 'What?', 'Start.', 'Stay.', 'Still.', 'Test.', 'So?', 'Thanks.', 'Two.', 'Star'],
  ...["It's time.", 'See you.', 'What stuff is that?', 'Take the next step', 'Is that it?', "That's it.", ''],
])('"%s" does not count as "stop" over its voice', (heard) => {
  expect(meant(heard)).toBeNull();
});
