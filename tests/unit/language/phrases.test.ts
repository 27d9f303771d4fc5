import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { fill, phraseSchema } from '../../../api/src/language/phrase.ts';
import { createSay } from '../../../api/src/language/phrases.ts';

const english = new URL('../../../api/languages/en/', import.meta.url);
const { phrases } = loadLanguage({ folder: english });

describe('a built-in sentence of Hearth', () => {
  const say = createSay(phrases);

  test('is filled with the current words', () => {
    expect(say('did_you_say', { text: 'add milk' })).toBe('Did you say "add milk"?');
  });

  test('is the same within a turn, and varies between turns', () => {
    const turns = Array.from({ length: 50 }, (_, index) => `turn-${index}`);

    const said = turns.map((id) => say('still_thinking', {}, id));

    expect(turns.map((id) => say('still_thinking', {}, id))).toEqual(said);
    expect(new Set(said)).toEqual(new Set(phrases.still_thinking));
  });

  test('explains a failure by its code, and an unknown one too', () => {
    expect(say.failure('llm_unavailable')).toContain('language model');
    expect(say.failure('no_such_code')).toBe(say.failure('internal'));
    expect(say.failure('toString')).toBe(say.failure('internal'));
  });
});

describe('a phrase', () => {
  test('keeps its filled-in words unchanged, whatever they look like', () => {
    expect(fill(['You said {text}.'], { text: '{text} $& $1' })).toBe('You said {text} $& $1.');
  });

  test('must not use an unknown placeholder', () => {
    const issues = phraseSchema(['text']).safeParse(['{text}', '{word}']).error?.issues;

    expect(JSON.stringify(issues)).toContain('there is no {word} to fill in here (known: {text})');
  });

  test.each([[''], [[]], [' '], [null], [7]])('is refused when it is %j', (phrase) => {
    expect(phraseSchema([]).safeParse(phrase).success).toBe(false);
  });
});
