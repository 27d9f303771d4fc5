import { createAutomaton, wholeFrom } from '../../language/grammar/automaton.ts';
import { createTemplateParser } from '../../language/grammar/template.ts';
import type { WordReader } from '../../language/grammar/words.ts';
import type { WordFinder } from '../home/understand/word-finder.ts';

const parse = createTemplateParser({ rules: {} });

/** Finds phrases that are written as templates without slots: "(can|could) you [please]". */
export function createTemplateFinder(templates: readonly string[], readWords: WordReader): WordFinder {
  const states = createAutomaton(templates.map(parse), { readWords });
  return { at: (words, from) => wholeFrom(words, from, states).map((end) => ({ end, found: null })) };
}
