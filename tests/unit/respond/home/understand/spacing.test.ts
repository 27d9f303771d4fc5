import { expect, test } from 'vitest';
import { createGrammar } from '../../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../../api/src/language/language.ts';
import { createSpacing } from '../../../../../api/src/respond/home/understand/spacing.ts';

const language = loadLanguage({ folder: new URL('../../../../../api/languages/en/', import.meta.url) });
const { readWords } = createGrammar(language.grammar);
const options = {
  rooms: ['bedroom', 'living room', 'sun room'],
  same: [
    ['tv', 'television', 'telly'],
    ['hall', 'hallway', 'corridor'],
    ['garden', 'yard'],
    ['sofa', 'couch'],
    ['plug', 'socket', 'outlet'],
  ],
  numbers: { one: 1, two: 2, three: 3 },
  plural_endings: ['s'],
};
const { asNamed, learn } = createSpacing(options, readWords);
learn([
  'Sunroom',
  "Anna's lamp",
  'Wine cellar',
  'Den',
  'Bedroom TV',
  'Hallway',
  'Garden',
  'Yard lamp',
  'Wemo plug',
  'Smart plug',
  'Smart socket',
  'Lamp 2',
  'TV1',
  'Heater one',
  'Christmas lights',
  'Porch light',
  'Kids Room',
  "Emma's Room",
]);

test.each([
  ['turn off the light of my bed room', 'turn off the light of my bedroom'],
  ['Turn on the lights in the livingroom, please.', 'Turn on the lights in the living room, please.'],
  ['open the wine cellar and the winecellar', 'open the wine cellar and the wine cellar'],
  ['is it warm in the sun room', 'is it warm in the sunroom'],
  ['is it warm in the sunroom', 'is it warm in the sunroom'],
  ['go to bed, room service', 'go to bed, room service'],
  ['turn on the d en', 'turn on the d en'],
  ['mute the telly in the bedroom', 'mute the tv in the bedroom'],
  ['Turn on the lights in the hall.', 'Turn on the lights in the hallway.'],
  // Only one thing has a similar name.
  ['turn on my wemo socket', 'turn on my wemo plug'],
  ['turn off the wemo outlet and the smart socket', 'turn off the wemo plug and the smart socket'],
  ['turn off the smart outlet', 'turn off the smart outlet'],
  // With and without an apostrophe.
  ["turn on the light in the kid's room", 'turn on the light in the kids room'],
  ['is it warm in the kids’ room', 'is it warm in the kids room'],
  ['turn on the lights in emmas room', "turn on the lights in emma's room"],
  ['turn off annas lamp', "turn off anna's lamp"],
  // With other numbers and spaces, and one for several.
  ['turn on lamp two', 'turn on lamp 2'],
  ['mute TV 1 and tv1', 'mute TV1 and TV1'],
  ['turn off heater 1', 'turn off heater one'],
  ['turn on the Christmas light', 'turn on the christmas lights'],
  ['turn on the porch lights', 'turn on the porch lights'],
  // The house has both, or neither.
  ['turn on the lights in the garden', 'turn on the lights in the garden'],
  ['turn on the light at the couch', 'turn on the light at the couch'],
  ["turn on Anna's lamp", "turn on Anna's lamp"],
  ['', ''],
])('%s', (said, named) => {
  expect(asNamed(said)).toBe(named);
});
