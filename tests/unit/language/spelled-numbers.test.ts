import { describe, expect, test } from 'vitest';
import { communityGrammar } from '../../../api/src/language/community/community.ts';
import { spelledNumbers } from '../../../api/src/language/community/spelled-numbers.ts';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { communityData, communityTags } from '../../../scripts/community-docs.ts';

/** CLDR has no rules for their numbers. */
const unspelled = ['bn', 'eu', 'gl'];

describe('numbers in words', () => {
  test.each(communityTags)('are known up to 100 in %s, or not at all', (tag) => {
    const known = new Set(Object.values(spelledNumbers(tag)));

    expect(known.size).toBe(unspelled.includes(tag) ? 0 : 101);
  });

  test.each([
    ['pl', 'dwadzieścia jeden', 21],
    ['pl', 'pięciu', 5],
    ['da', 'femogfyrre', 45],
    ['ro', 'patruzeci și cinci', 45],
    ['ru', 'сорок пять', 45],
    ['ca', 'vint-i-un', 21],
    ['fi', 'kaksikymmentäyksi', 21],
    ['hi', 'पैंतालीस', 45],
    ['nb', 'førtifem', 45],
    ['sr-Latn', 'četrdeset i pet', 45],
    ['zh-TW', '四十五', 45],
    ['ar', 'خمسة وأربعون', 45],
  ])('in %s "%s" is %s', (tag, text, number) => {
    expect(spelledNumbers(tag)[text]).toBe(number);
  });

  test('fill the ranges of the lists, as far as they go', () => {
    const grammar = createGrammar(communityGrammar(communityData('pl'), spelledNumbers('pl')));
    const range = grammar.listOf({ range: { from: 1, to: 60, step: 1, multiplier: 1 } });
    const numberIn = (text: string) => range.valueOf(grammar.readWords(text));

    expect(['pięć', 'dwadzieścia jeden', '7', 'sto', 'dwadzieścia kotów'].map(numberIn)).toEqual([
      5,
      21,
      7,
      null,
      null,
    ]);
  });
});
