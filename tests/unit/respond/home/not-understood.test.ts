import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createNotUnderstood } from '../../../../api/src/respond/home/not-understood.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { createPassing } from '../../../../api/src/respond/home/understand/passing.ts';
import { effectivePipeline } from '../../../../api/src/settings/pipeline.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { words, reply } = loadSkill(language.files, 'home', homeShape);
const passing = createPassing(words, createGrammar(language.grammar).readWords);
const notUnderstood = createNotUnderstood({ grammar: { passing }, reply });
const { values: settings } = effectivePipeline({}, {});

const answered = async (text: string, { isSure = true, mayAct = false } = {}) => {
  const said: string[] = [];
  const answer = await notUnderstood(() => mayAct).respond({
    turn: {
      id: 'one',
      source: 'ask',
      text,
      isSure,
      conversation: null,
      room: null,
      createdAt: 0,
      deadlineAt: 0,
      replyTo: 'api',
      streams: false,
      speaks: false,
      isTentative: false,
      revision: 0,
    },
    message: text,
    settings,
    exchanges: [],
    say: (part) => said.push(part),
    signal: new AbortController().signal,
    untilConfirmed: async () => undefined,
    beginActing: async () => undefined,
  });
  return answer && { text: said.join(''), isAside: answer.kept?.isAside };
};

describe('a house command that no rule understands', () => {
  test.each([
    'Turn off the fan in the master bedroom.',
    'Turn off all the lights in the living room and den.',
    'Switch the light to its lowest level in the dining area.',
  ])('gets that answer: %s', async (text) => {
    expect(await answered(text)).toEqual({ text: 'I do not know what your home should do.', isAside: true });
  });

  test.each([
    'Why is the sky blue?',
    'Is the fan in the bedroom on?',
    'Tell me about the history of lights.',
    'I turned the lights off.',
    'Write a poem about a kitchen.',
  ])('does not include: %s', async (text) => {
    expect(await answered(text)).toBeNull();
  });

  test('is left to a language model with tools, and asked back if the words are uncertain', async () => {
    const text = 'Turn off the fan in the master bedroom.';

    expect([await answered(text, { mayAct: true }), await answered(text, { isSure: false })]).toEqual([
      null,
      null,
    ]);
  });
});
