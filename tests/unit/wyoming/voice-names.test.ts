import { expect, test } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import { languagesOfVoice } from '../../../api/src/language/language-tag.ts';
import { createVoiceNames } from '../../../api/src/wyoming/voice-names.ts';

const offered = ['en_US-joe-medium', 'de_DE-thorsten-medium', 'fr_FR-siwis-medium', 'nova'];
const namesFor = (...tags: string[]) =>
  createVoiceNames({
    tags,
    offered: () => offered,
    languagesOf: (voice) => languagesOfVoice(voice, tags),
    checkVoice: (name) => {
      if (!offered.includes(name)) throw new AppError('invalid_request');
    },
    languageIn: (named) => named ?? undefined,
  });

test('a household with several languages announces its voice once for each, and the voices that speak one', () => {
  expect(namesFor('en', 'de').announced()).toEqual([
    { name: 'household', languages: ['en'] },
    { name: 'household-de', languages: ['de'] },
    { name: 'en_US-joe-medium', languages: ['en'] },
    { name: 'de_DE-thorsten-medium', languages: ['de'] },
    { name: 'nova', languages: ['en', 'de'] },
  ]);
});

test('the only language of a household is spoken by every voice', () => {
  expect(namesFor('en').announced()).toEqual(
    ['household', ...offered].map((name) => ({ name, languages: ['en'] })),
  );
});

test.each([
  [{}, { voice: null, language: undefined }],
  [{ language: 'de' }, { voice: null, language: 'de' }],
  [{ name: 'household' }, { voice: null, language: 'en' }],
  [{ name: 'household-de' }, { voice: null, language: 'de' }],
  [{ name: 'de_DE-thorsten-medium' }, { voice: 'de_DE-thorsten-medium', language: 'de' }],
  [{ name: 'nova' }, { voice: 'nova', language: 'en' }],
  [
    { name: 'nova', language: 'de' },
    { voice: 'nova', language: 'de' },
  ],
])('%j is found', (named, found) => {
  expect(namesFor('en', 'de').find(named)).toEqual(found);
});

test('an unknown voice is refused', () => {
  expect(() => namesFor('en').find({ name: 'household-de' })).toThrow(AppError);
});
