import { describe, expect, test } from 'vitest';
import { factsOf, modelToAsk } from '../../../api/src/engines/llm-facts.ts';

const listed = [{ id: 'first' }, { id: 'qwen:latest' }, { id: 'gemma' }];
const llamaCpp = { total_slots: 4, default_generation_settings: { n_ctx: 8_192 } };

describe('the model to ask for', () => {
  test.each([
    ['gemma', 'gemma'],
    ['qwen', 'qwen:latest'],
    [null, 'first'],
  ])('wished for as %s is %s', (wished, id) => {
    const found = modelToAsk(listed, wished);

    expect(found.id).toBe(id);
  });

  test('must be one that the server has', () => {
    const asked = () => modelToAsk(listed, 'llama');

    expect(asked).toThrow(expect.objectContaining({ detail: 'it has first, qwen:latest, gemma, not llama' }));
  });
});

describe('the facts of a language model server', () => {
  test('are cautious where the server does not tell', () => {
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

  test('never give a model more than it was trained to read', () => {
    const facts = factsOf({ id: 'local', meta: { n_ctx_train: 2_048 } }, llamaCpp);

    expect(facts).toMatchObject({ contextTokens: 2_048, slots: 4, isLlamaCpp: true, isOwn: true });
  });

  test('take a template that knows tools but no calls of them for one without', () => {
    const caps = { supports_tools: true, supports_tool_calls: false };
    const facts = factsOf({ id: 'local' }, { ...llamaCpp, chat_template_caps: caps });

    expect(facts.callsTools).toBe(false);
  });

  test.each([
    ['llama.cpp with a projector', {}, { ...llamaCpp, modalities: { vision: true } }, true],
    ['llama.cpp without one', {}, { ...llamaCpp, modalities: { vision: false } }, false],
    ['a list of models', { architecture: { input_modalities: ['text', 'image'] } }, undefined, true],
    ['a server that tells nothing', {}, undefined, false],
  ])('tell by %s whether the model sees', (_what, listed, props, sees) => {
    expect(factsOf({ id: 'local', ...listed }, props).sees).toBe(sees);
  });
});
