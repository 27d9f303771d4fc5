import { createGrammar, type Grammar } from '../../../language/grammar/grammar.ts';
import type { Language } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import type { HomeWords } from './home-words.ts';

/** The grammar of sentences to the house, including their numbers. */
export interface WishGrammar extends Grammar {
  numbers: NumberReader;
}

/** Allows an opening such as "I want to" before each sentence to the house. */
export function createWishGrammar(
  { grammar, numbers, rules }: Pick<Language, 'grammar' | 'numbers' | 'rules'>,
  words: HomeWords,
): WishGrammar {
  const wishes = createGrammar({ ...grammar, before: [...grammar.before, ...words.before] });
  return { ...wishes, numbers: rules.createNumberReader(numbers) };
}
