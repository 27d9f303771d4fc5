import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createSwitchingReader } from '../../../../api/src/respond/home/switching-reader.ts';

const readerIn = (tag: string) =>
  createSwitchingReader(
    loadLanguage({ folder: new URL(`../../../../api/languages/${tag}/`, import.meta.url) }),
  );
const switchesRoom = readerIn('en');

test.each([
  'Turn off the bedroom lights.',
  'turn on the light in the kitchen',
  'switch the living room lamp off please',
])('%s: only switches devices of a named room', (text) => {
  expect(switchesRoom(text)).toBe(true);
});

test.each([
  { text: 'turn off the lights', because: 'a room may follow' },
  { text: 'turn on the kitchen', because: 'the device may follow' },
  { text: 'turn on the light in the', because: 'the room is missing' },
  { text: 'turn off the process', because: 'nothing at home is named' },
  { text: 'dim the kitchen lights to thirty percent', because: 'it does more than switch' },
  { text: 'close the blinds in the office', because: 'it moves something' },
  { text: 'is the kitchen light on', because: 'it is a question' },
  { text: 'turn off the kitchen lights in ten minutes', because: 'it is for later' },
  { text: 'what is the capital of France', because: 'it is not for the house' },
])('$text: does not, because $because', ({ text }) => {
  expect(switchesRoom(text)).toBe(false);
});

test('accepts nothing in a language without rules for the house', () => {
  expect(readerIn('de')('Schalte das Licht im Schlafzimmer aus')).toBe(false);
});
