import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSkillResponder } from '../../../api/src/respond/core/skill-responder.ts';
import { createWordsForIt } from '../../../api/src/stages/words-for-it.ts';
import type { NameRule } from '../../../api/src/turn/turn.ts';
import { englishSkills } from '../../support/skills.ts';

const skills = createSkillResponder(englishSkills(new Redis({ lazyConnect: true })));
const wordsForIt = createWordsForIt({
  language: loadLanguage({ folder: new URL('../../../api/languages/en/', import.meta.url) }),
  namesOf: async () => ['Hearth'],
  skills: () => skills,
  isForHome: async (text) => text === 'open the hatch',
});

/** The words for the assistant, and whether they contained its name. */
async function words(text: string, nameRule: NameRule, calledBy?: readonly string[]) {
  const turn = { revision: 0, nameRule, ...(calledBy && { calledBy }) };
  const found = await wordsForIt(turn, { text, isSure: true });
  return found && [found.text, found.isNamed];
}

test('the name is left out, with or without punctuation', async () => {
  expect(await words('Hearth, tell me about Rome.', 'needed')).toEqual(['tell me about Rome.', true]);
  expect(await words('Hearth what time is it?', 'needed')).toEqual(['what time is it?', true]);
  expect(await words('Hearth open the hatch', 'needed')).toEqual(['open the hatch', true]);
});

test('a sentence about something with that name needs no answer', async () => {
  expect(await words('Hearth rugs are expensive this year.', 'needed')).toBeNull();
});

test('a sentence without the name counts only if the name is not needed', async () => {
  expect(await words('What time is it?', 'needed')).toBeNull();
  expect(await words('What time is it?', 'not_needed')).toEqual(['What time is it?', false]);
});

test('only words that stop an answer need no name during it', async () => {
  expect(await words('Stop.', 'needed_or_stop')).toEqual(['Stop.', false]);
  expect(await words('Hold on.', 'needed_or_stop')).toEqual(['Hold on.', false]);
  expect(await words('What time is it?', 'needed_or_stop')).toBeNull();
});

test('the names of a turn replace those of the household', async () => {
  expect(await words('Computer, what time is it?', 'needed', ['Computer'])).toEqual([
    'what time is it?',
    true,
  ]);
  expect(await words('Hearth, what time is it?', 'needed', ['Computer'])).toBeNull();
});

test('a wake word is left out, and an uncertain one must be in the transcript', async () => {
  const wake = ['Okay Nabu'];
  expect(await words('Okay Nabu, what time is it?', 'near', wake)).toEqual(['what time is it?', true]);
  expect(await words('What time is it?', 'near', wake)).toBeNull();
  expect(await words('What time is it?', 'said', wake)).toEqual(['What time is it?', true]);
});
