import { expect, test } from 'vitest';
import { understandingWords } from '../../../console/src/views/activity/understanding.ts';

const plain = { rule: null, names: [], room: null, heard: null, is_sure: true, alternatives: [] };

test('the page shows the transcript, the alternatives, the rule and the names it found', () => {
  const words = understandingWords('Set a timer for nine minutes.', {
    ...plain,
    via: 'skills',
    rule: 'timers: set',
    names: ['duration=nine minutes'],
    heard: 'Set a tumor for nine minutes.',
    is_sure: false,
    alternatives: ['Set a timer for five minutes.'],
  });

  expect(words).toEqual([
    'Hearth heard “Set a tumor for nine minutes.” and understood “Set a timer for nine minutes.”.',
    'It was not sure of the words.',
    'It could also have been “Set a timer for five minutes.”.',
    'A fixed rule matched: timers, set.',
    'Found in the words: duration “nine minutes”.',
  ]);
});

test.each([
  [{ via: 'local' }, 'No fixed rule matched, so the language model answered.'],
  [{ via: 'home', rule: 'home: which_color' }, 'A command for the home matched: which color.'],
  [{ via: 'home' }, 'Home Assistant understood the sentence.'],
  [{ via: 'skills' }, 'A fixed rule matched.'],
])('the page shows the responder: %o', (understood, sentence) => {
  expect(understandingWords('Well?', { ...plain, ...understood })).toEqual([sentence]);
});
