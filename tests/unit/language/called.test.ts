import { expect, test } from 'vitest';
import { createCalled } from '../../../api/src/language/called.ts';
import { english } from '../../../api/src/language/en/english.ts';

const calledIn = createCalled({
  names: ['Computer', 'Jarvis', 'Okay Nabu'],
  calls: ['hey', 'okay', 'ok'],
  soundsOf: english.soundsOf,
});

test.each([
  ['Computer, what time is it?', 'what time is it?'],
  ['Hey, Computer! Turn on the lights.', 'Turn on the lights.'],
  ['What time is it, Computer?', 'What time is it?'],
  ['What is there to do on Monday? Computer.', 'What is there to do on Monday?'],
  ['Thank you, Jarvis.', 'Thank you.'],
  // Spellings of the recognition for names that it does not know.
  ['Okay now boo, what time is it?', 'what time is it?'],
  ['Jervis, play some music.', 'play some music.'],
  ['OK, Nabo. Stop.', 'Stop.'],
  // After words from a television.
  ['And that was the news. Computer, turn it off.', 'turn it off.'],
  ['That was the news. Now the weather. Computer.', ''],
  ['Computer.', ''],
  ['Hey Jarvis!', ''],
])('"%s" addresses the assistant', (text, request) => {
  expect(calledIn(text)).toEqual({ request, isApart: true });
});

test.each([
  ['Computer what time is it', 'what time is it'],
  ['Computer games are bad for you.', 'games are bad for you.'],
])('"%s" may address the assistant', (text, request) => {
  expect(calledIn(text)).toEqual({ request, isApart: false });
});

test.each([
  'What time is it?',
  'I bought a new computer.',
  'Compare the prices of milk.',
  'Computers are bad for you.',
  'Okay, now what time is it?',
  'And that was the news. Computer games are next.',
  'Turn off the computer.',
  '',
  '...',
])('"%s" does not address the assistant', (text) => {
  expect(calledIn(text)).toBeNull();
});

test.each(['Turn on the kitchen lights.', 'Turn on the lights in the kitchen.', 'Where is the kitchen?'])(
  '"%s" does not address an assistant named like a room',
  (text) => {
    expect(createCalled({ names: ['Kitchen'], calls: [], soundsOf: english.soundsOf })(text)).toBeNull();
  },
);

test('a name that is also a room addresses the assistant only when set apart', () => {
  const calledByRoom = createCalled({ names: ['Kitchen'], calls: [], soundsOf: english.soundsOf });

  expect(calledByRoom('Kitchen, turn on the kitchen lights.')?.request).toBe('turn on the kitchen lights.');
});

/** The setting accepts at most 40 characters. */
const [compound, phrase] = [
  'Donaudampfschifffahrtselektrizitätswerke',
  'Ladies and gentlemen of the upper floors',
];

test.each([
  `${compound}, what time is it?`,
  `What time is it, ${phrase}?`,
  'Lady and gentleman of the upper floor, what time is it?',
])('a name of forty letters is found in "%s"', (text) => {
  const names = [compound, phrase];
  expect(names.map(({ length }) => length)).toEqual([40, 40]);

  const called = createCalled({ names, calls: [], soundsOf: english.soundsOf })(text);

  expect(called?.request.toLowerCase()).toBe('what time is it?');
});
