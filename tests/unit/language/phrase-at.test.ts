import { expect, test } from 'vitest';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { longestPhraseEnd, phraseEnd } from '../../../api/src/language/grammar/phrase-at.ts';
import { createSlotShape, neverSchema } from '../../../api/src/language/grammar/slot-shape.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';

const readerOf = (tag: string) => {
  const folder = new URL(`../../../api/languages/${tag}/`, import.meta.url);
  return createGrammar(loadLanguage({ folder }).grammar).readWords;
};
const french = readerOf('fr');

test.each([
  ['fr', "Quand j'arrive", ["j'arrive", "j'ai"], 1, 3],
  ['fr', "Rappelle-moi d'abord", ["d'abord"], 2, 4],
  ['it', "Un litro d'acqua", ["litro d'acqua"], 1, 4],
  ['en', "My mother's ring", ["mother's ring"], 1, 3],
  ['fr', "J'arriverai", ["j'arrive"], 0, null],
])('in the language %s, "%s" has one of %j', (tag, text, phrases, at, end) => {
  expect(longestPhraseEnd(phrases, readerOf(tag)(text), at)).toBe(end);
  expect(phraseEnd(phrases[0] ?? '', readerOf(tag)(text), at)).toBe(end);
});

test('an open slot never begins with a word before an apostrophe that it excludes', () => {
  const shape = createSlotShape(neverSchema.parse({ first: ["(qu'|d'abord)"] }), []);

  expect(["qu'il pleut", "d'abord lui", "d'autres"].map((text) => shape.fits(french(text)))).toEqual([
    false,
    false,
    true,
  ]);
});
