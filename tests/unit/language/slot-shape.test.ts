import { describe, expect, test } from 'vitest';
import { createAutomaton } from '../../../api/src/language/grammar/automaton.ts';
import { createMatcher } from '../../../api/src/language/grammar/matcher.ts';
import { createSlotShape, neverOf, neverSchema } from '../../../api/src/language/grammar/slot-shape.ts';
import { createTemplateParser } from '../../../api/src/language/grammar/template.ts';
import { createWordReader, textOf } from '../../../api/src/language/grammar/words.ts';

const readWords = createWordReader({ spellings: {}, fillers: [], abbreviations: [] });
const articles = ['the', 'a'];
const shapeOf = (never: unknown) => createSlotShape(neverSchema.parse(never), articles);

const never = {
  first: ['(to|rid of)', 'all [of] the'],
  last: ['is'],
  inside: ['put (it|them)'],
  only: ['(new|item)'],
};
const shape = shapeOf(never);

describe('a slot', () => {
  test.each([
    'milk',
    'a new lamp',
    'something to drink',
    'the rid',
    'all purpose flour',
    'is it',
    'put the milk away',
    'new potatoes',
  ])('may contain %j', (text) => {
    expect(shape.fits(readWords(text))).toBe(true);
  });

  test.each([
    'to know',
    'the to know',
    'rid of milk',
    'all of the milk',
    'all the milk',
    'what is',
    'dishes put it',
    'put them away',
    'new',
    'a new item',
    'the',
    '',
  ])('never contains %j', (text) => {
    expect(shape.fits(readWords(text))).toBe(false);
  });

  test('of two kinds may contain the words that both allow', () => {
    const both = createSlotShape(
      neverOf(neverSchema.parse({ first: ['to'] }), neverSchema.parse({ last: ['is'] })),
      articles,
    );

    expect(['milk', 'to know', 'what is'].map((text) => both.fits(readWords(text)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('whose words are not phrases reports that', () => {
    const found = neverSchema.safeParse({ inside: ['put {what}', '(it|that'] });

    expect(found.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'inside.0: "put {what}": there is no place for a slot',
      'inside.1: "(it|that": "(" without ")"',
    ]);
  });
});

describe('a sentence', () => {
  const sentences = [
    'need {thing} on [the] list',
    'need to know what is on [the] list',
    'put {thing} on [the] list',
  ];
  const states = createAutomaton(sentences.map(createTemplateParser({ rules: {} })), { readWords });
  const matcher = createMatcher({
    automaton: { states: () => states },
    before: [],
    after: [createTemplateParser({ rules: {} })('please')],
    readWords,
    slotTypes: { thing: { isOpen: true, costPerWord: 1, shape } },
  });
  const match = (text: string) => {
    const found = matcher.match(readWords(text));
    const thing = found?.slots.get('thing');
    return found && { sentence: found.sentence, thing: thing ? textOf(text, thing) : null };
  };

  test.each([
    ['need milk on the list', { sentence: 0, thing: 'milk' }],
    ['need milk on ice on the list please', { sentence: 0, thing: 'milk on ice' }],
    ['put what is left on list', { sentence: 2, thing: 'what is left' }],
    ['need to know what is on the list', { sentence: 1, thing: null }],
    ['need to know on the list', null],
    ['need what is on the list', null],
    ['need milk put it on the list', null],
    ['put a new item on the list', null],
  ])('with a slot takes %j only if the slot may contain the words', (text, expected) => {
    expect(match(text)).toEqual(expected);
  });
});
