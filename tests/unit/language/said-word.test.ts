import { expect, test } from 'vitest';
import { english } from '../../../api/src/language/en/english.ts';
import { createSaidWord } from '../../../api/src/language/said-word.ts';

const said = createSaidWord({ phrases: ['Okay Nabu'], soundsOf: english.soundsOf });

test.each([
  ['Okay Nabu, what time is it?', 'what time is it?'],
  ['Okay, Nabu. Stop.', 'Stop.'],
  // Spellings of the recognition, which does not know the word.
  ['Okay now move, what time is it?', 'what time is it?'],
  ['Okay, now boo what time is it', 'what time is it'],
  ['OK, Nabooh, turn on the lights', 'turn on the lights'],
  ['Okay nah, boo. Add milk to the list.', 'Add milk to the list.'],
  ['Kenobu what time is it?', 'what time is it?'],
  // After earlier words.
  ['the weather. Okay Nabu what time is it', 'what time is it'],
  ['Okay Nabu.', ''],
])('"%s" contains the word, and asks "%s"', (text, request) => {
  expect(said(text)).toEqual({ request, isNear: true });
});

test.each([['Okay, what time is it?', 'what time is it?']])(
  '"%s" is too unlike the word to confirm it, and asks "%s" after a sure detection',
  (text, request) => {
    expect(said(text)).toEqual({ request, isNear: false });
  },
);

test.each([
  'Set a timer for five minutes.',
  'Turn on the light in the kitchen, okay?',
  'Call me tomorrow',
  '',
])('"%s" contains nothing like the word, and is unchanged', (text) => {
  expect(said(text)).toEqual({ request: text, isNear: false });
});
