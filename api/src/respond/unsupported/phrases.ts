import { createTemplateParser, type Template } from '../../language/grammar/template.ts';
import type { WordReader } from '../../language/grammar/words.ts';
import { createWordFinder, type WordFinder } from '../home/understand/word-finder.ts';

const parse = createTemplateParser({ rules: {} });

/** Finds phrases that are written as templates without slots: "(can|could) you [please]". */
export function createTemplateFinder(templates: readonly string[], readWords: WordReader): WordFinder {
  return createWordFinder(
    templates.flatMap((text) => textsOf(parse(text))),
    readWords,
  );
}

function textsOf(template: Template): string[] {
  if (template.kind === 'text') return [template.text];
  if (template.kind === 'space') return [' '];
  if (template.kind === 'choice') return template.options.flatMap(textsOf);
  if (template.kind !== 'row')
    throw new Error('skills/unsupported.yaml: only words, ( | ) and [ ] may stand here');
  return template.parts.reduce<string[]>(
    (before, part) => before.flatMap((start) => textsOf(part).map((end) => start + end)),
    [''],
  );
}
