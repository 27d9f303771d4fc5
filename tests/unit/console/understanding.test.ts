import { expect, test } from 'vitest';
import { ruleDetails, understandingWords } from '../../../console/src/views/activity/understanding.ts';

const groups = [
  { title: 'Timers', skill: 'timers' },
  { title: 'Alarms', skill: 'timers' },
  { title: 'Lists', skill: 'lists' },
];
const plain = { rule: null, names: [], room: null, heard: null, is_sure: true, alternatives: [] };

test('the page shows the transcript, the alternatives, the rule and the names it found', () => {
  const understood = {
    ...plain,
    via: 'skills',
    rule: 'timers: set',
    names: ['duration=nine minutes'],
    heard: 'Set a tumor for nine minutes.',
    is_sure: false,
    alternatives: ['Set a timer for five minutes.'],
  };
  const words = understandingWords('Set a timer for nine minutes.', understood, groups);

  expect(words).toEqual([
    'Hearth heard “Set a tumor for nine minutes.” and understood “Set a timer for nine minutes.”.',
    'It was not sure of the words.',
    'It could also have been “Set a timer for five minutes.”.',
    'It fits the examples under “Timers” or “Alarms” in “What can I say?”.',
    'It found “nine minutes” in the words.',
  ]);
  expect(ruleDetails(understood)).toBe('timers: set, duration=nine minutes');
});

test.each([
  [{ via: 'local' }, 'No fixed rule matched, so the language model answered.'],
  [{ via: 'home', rule: 'home: which_color' }, 'It is a command for your home.'],
  [{ via: 'home' }, 'Home Assistant understood the sentence.'],
  [{ via: 'skills' }, 'It fits a fixed rule.'],
  [{ via: 'skills', rule: 'self: name' }, 'It fits a fixed rule.'],
])('the page shows the responder: %o', (understood, sentence) => {
  expect(understandingWords('Well?', { ...plain, ...understood }, groups)).toEqual([sentence]);
});
