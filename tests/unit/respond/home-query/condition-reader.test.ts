import { expect, test } from 'vitest';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import {
  createConditionReader,
  createIfAnswered,
} from '../../../../api/src/respond/home-query/condition-reader.ts';
import { queryShape } from '../../../../api/src/respond/home-query/query-shape.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'home-query', queryShape);
const { readWords } = createGrammar(language.grammar);
const read = createConditionReader({
  words,
  readWords,
  isCommand: (text) =>
    /^(?:can you )?(?:turn|set|lock|open|close) /i.test(text) && !/ then | if |, /.test(text),
  isCondition: (text) => /(?:on|off|open|locked|\d)$/.test(text),
});

test.each([
  // The condition first, with "then", a pause or nothing in between.
  ['If it is above 23 degrees then set the fan to high', 'it is above 23 degrees', 'set the fan to high'],
  ['If the tv is on, turn off the lamp.', 'the tv is on', 'turn off the lamp'],
  ['please if the tv is on turn off the lamp', 'the tv is on', 'turn off the lamp'],
  ['if I am tired, turn off the lamp', 'I am tired', 'turn off the lamp'],
  // It is a condition, although nothing in the house can test it.
  ['if it is after ten turn off the tv', 'it is after ten', 'turn off the tv'],
  // The command first.
  ['only turn on the fan if the bath is below 18', 'the bath is below 18', 'turn on the fan'],
  ['turn on the heater if the bath is below 18', 'the bath is below 18', 'turn on the heater'],
  ['Lock the door, but only if it is open', 'it is open', 'Lock the door'],
  ['can you close the blinds if the lamp is on?', 'the lamp is on', 'can you close the blinds'],
  // "It" is the subject of the condition.
  ['if the tv is on turn it off', 'the tv is on', 'turn the tv off'],
  ['if any lights are on, turn them off', 'any lights are on', 'turn the lights off'],
])('splits a command with a condition: %s', (text, condition, command) => {
  expect(read(text)).toMatchObject({ condition, command, isUnless: false });
});

test.each([
  ['If not, lock it.', { command: 'lock it', isUnless: true }],
  ['and if they are then turn them off', { command: 'turn them off', isUnless: false }],
  ["if it isn't turn it on", { command: 'turn it on', isUnless: true }],
  ['if not', null],
  ['lock it if not', null],
])('a command depends on the last answer: %s', (text, read) => {
  expect(createIfAnswered(words, readWords)(text)).toEqual(read);
});

test('the reader knows that "it" may be the target of the command', () => {
  expect(read('lock the door if it is open')).toMatchObject({ ofTarget: 'is open' });
});

test('the reader takes "unless" for the opposite', () => {
  expect(read('turn on the lamp unless the tv is on')).toEqual({
    condition: 'the tv is on',
    ofTarget: null,
    command: 'turn on the lamp',
    isUnless: true,
    waits: false,
  });
});

test.each([
  'when it gets dark, turn on the lights',
  'whenever I come home turn on the heating',
  'turn on the lights every time the tv is on',
])('the reader knows that "%s" has to wait', (text) => {
  expect(read(text)).toMatchObject({ waits: true });
});

test.each([
  'turn on the lights',
  'close the garage if it is open and lock the back door',
  'if the tv is on',
  'tell me if the tv is on and turn on the lights',
  'if I forget to turn off the lights',
  'if you turn off the lights',
  'when did you turn on the lights',
  'if the tv is on remind me of the film',
])('the reader does not take "%s" for a conditional command', (text) => {
  expect(read(text)).toBeNull();
});
