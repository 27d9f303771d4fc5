import { expect, test } from 'vitest';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createSkillResponder } from '../../../../api/src/respond/core/skill-responder.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });

test('two skills cannot have slot types of the same name', () => {
  const skillCalled = (name: string) => ({
    name,
    sentences: {},
    intents: {},
    slotTypes: { count: { ends: () => [] } },
  });

  expect(() =>
    createSkillResponder({
      skills: [skillCalled('chance'), skillCalled('timers')],
      grammar: createGrammar(language.grammar),
    }),
  ).toThrow('The skill "timers" has a slot type {count} of another.');
});
