import { describe, expect, test } from 'vitest';
import { factsOf, modelToAsk } from '../../../api/src/engines/llm-facts.ts';

const listed = [{ id: 'first' }, { id: 'qwen:latest' }, { id: 'gemma' }];
const llamaCpp = { total_slots: 4, default_generation_settings: { n_ctx: 8_192 } };

describe('the model in a request', () => {
  test.each([
    ['gemma', 'gemma'],
    ['qwen', 'qwen:latest'],
    [null, 'first'],
  ])('for the setting %s is %s', (wished, id) => {
    const found = modelToAsk(listed, wished);

    expect(found.id).toBe(id);
  });

  test('must be one that the server has', () => {
    const asked = () => modelToAsk(listed, 'llama');

    expect(asked).toThrow(expect.objectContaining({ detail: 'it has first, qwen:latest, gemma, not llama' }));
  });
});

describe('the facts of a language model server', () => {
  test('are cautious if the server does not report them', () => {
    const facts = factsOf({ id: 'local' }, undefined);

    expect(facts).toEqual({
      model: 'local',
      isLlamaCpp: false,
      slots: 2,
      contextTokens: 4_096,
      fingerprint: 'null',
      callsTools: null,
      sees: false,
      isOwn: false,
    });
  });

  test('never give a model more than its training context', () => {
    const facts = factsOf({ id: 'local', meta: { n_ctx_train: 2_048 } }, llamaCpp);

    expect(facts).toMatchObject({ contextTokens: 2_048, slots: 4, isLlamaCpp: true, isOwn: true });
  });

  test('treat a template with tools but without calls as one without tools', () => {
    const caps = { supports_tools: true, supports_tool_calls: false };
    const facts = factsOf({ id: 'local' }, { ...llamaCpp, chat_template_caps: caps });

    expect(facts.callsTools).toBe(false);
  });

  test.each([
    ['llama.cpp with a projector', {}, { ...llamaCpp, modalities: { vision: true } }, true],
    ['llama.cpp without one', {}, { ...llamaCpp, modalities: { vision: false } }, false],
    ['a list of models', { architecture: { input_modalities: ['text', 'image'] } }, undefined, true],
    ['a server that tells nothing', {}, undefined, false],
  ])('show from %s whether the model can see', (_what, listed, props, sees) => {
    expect(factsOf({ id: 'local', ...listed }, props).sees).toBe(sees);
  });
});
