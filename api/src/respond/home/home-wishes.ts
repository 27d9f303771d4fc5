import { createGrammar, type Grammar } from '../../language/grammar/grammar.ts';
import type { Language } from '../../language/language.ts';
import type { HomeWords } from './home-words.ts';

/** The grammar of sentences to the house: a wish may stand before each of them, as in "I want to dim the lights". */
export function createWishGrammar({ grammar }: Pick<Language, 'grammar'>, words: HomeWords): Grammar {
  return createGrammar({ ...grammar, before: [...grammar.before, ...words.before] });
}
