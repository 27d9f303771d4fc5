import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createPronunciation } from '../../../api/src/speech-text/pronunciation.ts';

const folder = new URL('../../../api/languages/en/', import.meta.url);
const pronounced = createPronunciation(loadLanguage({ folder }).speaking);

describe('the text for the voice', () => {
  test.each([
    ['Born in 1564, he died in 1616.', 'Born in 15 64, he died in 16 16.'],
    ['From 1914 to 1918.', 'From 19 14 to 19 18.'],
    ['In the 1980s.', 'In the 19 80s.'],
    ['It was 1905', 'It was 19 oh 5'],
    ['It is 10:09 PM, not 22:01.', 'It is 10 oh 9 PM, not 22 oh 1.'],
    ['Ask Ms Lee.', 'Ask Miz Lee.'],
  ])('for %j is %j', (words, spelled) => {
    expect(pronounced(words)).toBe(spelled);
  });

  test.each([
    'In 1500, 2005 and 2026.',
    'It is 1250 grams or 1250 metres.',
    'Take 1,250 of 1250.5 and B1250.',
    'At 12:50, the 12th, 1066.',
    'At 10:00, 10:10, 1:05:30 and 10:05.5.',
    'The ms file.',
    'The capital of France is Paris.',
  ])('stays %j', (words) => {
    expect(pronounced(words)).toBe(words);
  });
});
