import { expect, test } from 'vitest';
import type { components } from '../../../api/src/http/contract-types.ts';
import { languageNeeds } from '../../../console/src/models/language-needs.ts';

type Model = Pick<components['schemas']['ModelChoice'], 'engine' | 'name' | 'size_bytes' | 'languages'>;

const used = { is_here: true, is_chosen: true };
const offered = { is_here: false, is_chosen: false };
const english = {
  engine: 'stt' as const,
  name: 'Whisper base',
  size_bytes: 100_000_000,
  languages: ['en'],
} satisfies Model;
const many = {
  engine: 'stt' as const,
  name: 'Whisper small',
  size_bytes: 486_000_000,
  languages: ['multilingual'],
} satisfies Model;
const amy = {
  engine: 'tts' as const,
  name: 'Amy',
  size_bytes: 60_000_000,
  languages: ['en'],
} satisfies Model;
const thorsten = {
  engine: 'tts' as const,
  name: 'Thorsten',
  size_bytes: 60_000_000,
  languages: ['de'],
} satisfies Model;

test('names the models and the voice that a language still needs', () => {
  const models = [
    { ...english, ...used },
    { ...many, ...offered },
    { ...amy, ...used },
    { ...thorsten, ...offered },
  ];

  expect(languageNeeds(models, 'de')).toEqual([
    'The speech recognition Whisper base does not know German. Whisper small does, a download of 486 MB.',
    'No downloaded voice speaks German. Until you download one, espeak-ng speaks.',
  ]);
  expect(languageNeeds(models, 'en')).toEqual([]);
});

test('needs nothing that is here or runs on another server', () => {
  expect(
    languageNeeds(
      [
        { ...many, ...used },
        { ...thorsten, ...used, is_chosen: false },
      ],
      'de-AT',
    ),
  ).toEqual([]);
  expect(languageNeeds([], 'de')).toEqual([]);
});
