import { expect, test } from 'vitest';
import { ConfigError } from '../../../api/src/config.ts';
import { languageOf, voiceOf } from '../../../api/src/language/language-tag.ts';
import { offeredLanguages, spokenLanguages, spokenTags } from '../../../api/src/wiring/installation.ts';

test('resolves a tag to the most exact known language', () => {
  const known = ['de', 'en', 'pt', 'pt-BR', 'zh-TW'];
  const found = ['de', 'DE', 'de-AT', 'de_at', ' en-GB ', 'pt-BR', 'pt-br', 'pt-PT', 'zh-TW', 'de-Latn-CH'];
  expect(found.map((tag) => languageOf(tag, known))).toEqual([
    'de',
    'de',
    'de',
    'de',
    'en',
    'pt-BR',
    'pt-BR',
    'pt',
    'zh-TW',
    'de',
  ]);
});

test.each(['xx', 'zh', 'german', '', 'd', 'de-', '../de', 'de/../en', 'x'.repeat(2_000)])(
  'knows no language for the tag "%.20s"',
  (tag) => {
    expect(languageOf(tag, ['de', 'en', 'zh-TW'])).toBeNull();
  },
);

test('refuses a language that is not installed, and lists those that are', () => {
  const start = (language: string) => () =>
    spokenLanguages({ language, languagesDir: '/nonexistent', modelsDir: '/nonexistent' });

  expect(start('xx')).toThrow(ConfigError);
  expect(start('xx')).toThrow(/^HEARTH_LANGUAGE must be one of .*\ben\b.*, but is "xx"\.$/);
  expect(start('EN-gb')().map(({ tag }) => tag)).toEqual(['en']);
  expect(start('de,xx')).toThrow(/, but is "xx"\.$/);
});

test.each(['pl', 'PL', 'pl_PL', 'pt-BR', 'sr-Latn', 'zh-TW'])(
  'refuses the language %s of the community as long as its sentences are missing',
  (language) => {
    const start = () =>
      spokenLanguages({ language, languagesDir: '/nonexistent', modelsDir: '/nonexistent' });

    expect(start).toThrow(ConfigError);
    expect(start).toThrow('The sentences of this language are not in /nonexistent/sentences/');
  },
);

test.each([
  ['de_DE-thorsten-medium', 'de', true],
  ['de_AT-somebody-low', 'de', true],
  ['en_US-ljspeech-medium', 'de', false],
  ['en_GB-alan-medium', 'en', true],
  ['pt_BR-faber-medium', 'pt-BR', true],
  ['no_NO-talesyntese-medium', 'nb', true],
  ['no_NO-talesyntese-medium', 'sv', false],
  ['piper', 'de', true],
  ['grandma', 'de', true],
])('the voice %s for %s: %s', (voice, tag, expected) => {
  const chosen = voiceOf(tag, { chosen: voice, own: [], offered: [], isOnlyLanguage: false });

  expect(chosen === voice).toBe(expected);
});

test.each([
  ['de', ['de']],
  ['de-AT, en_GB', ['de', 'en']],
  ['en,DE,en-US,', ['en', 'de']],
  ['nl, pl, pt-br', ['nl', 'pl', 'pt-BR']],
])('a household with "%s" speaks %s', (language, expected) => {
  expect(spokenTags({ language })).toEqual(expected);
});

test.each([
  ['en', 'de', ['de']],
  ['en,nl', 'de', ['de', 'nl']],
  ['de,en', 'en', ['en', 'de']],
  ['de,en', 'de', ['de', 'en']],
])('a household with "%s" that chooses %s speaks %s', (language, chosenLanguage, expected) => {
  expect(spokenTags({ language, chosenLanguage })).toEqual(expected);
});

test('offers the complete languages, and those of the environment', () => {
  expect(offeredLanguages({ language: 'pl,en' })).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pl']);
});

test('finds the voice that is named after a language', () => {
  const offered = ['grandma', 'en_US-joe-medium', 'de_DE-thorsten-medium'];
  const there = { chosen: null, own: ['en_US-joe-medium'], offered, isOnlyLanguage: true };

  expect([voiceOf('de', there), voiceOf('fr', there)]).toEqual(['de_DE-thorsten-medium', undefined]);
});
