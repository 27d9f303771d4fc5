import { describe, expect, test } from 'vitest';
import { createPromptBudget } from '../../../../api/src/respond/model/prompt-budget.ts';

const head = { system: 'x'.repeat(220), note: [], tools: [] };
const exchanges = Array.from({ length: 10 }, () => ({ user: 'x'.repeat(110), assistant: 'x'.repeat(110) }));
/** With 100 tokens for the head and 116 for every exchange, as long as the engine is unknown. */
const facts = { contextTokens: 1_700 };
const settings = { reply_tokens: 300 };
const counted = (promptTokens: number) =>
  ({ finish: 'stop', promptTokens, cachedTokens: null, answerTokens: 10 }) as const;

describe('the budget of a prompt', () => {
  test('reserves tokens for the head, an answer and the template', () => {
    const budget = createPromptBudget();

    expect(budget.excess({ head, exchanges }, facts, settings)).toBe(0);
    expect(budget.excess({ head, exchanges }, { contextTokens: 1_687 }, settings)).toBeGreaterThan(0);
    expect(budget.excess({ head, exchanges }, facts, { reply_tokens: 320 })).toBeGreaterThan(0);
  });

  test('reserves tokens for the question and its tool calls', () => {
    const budget = createPromptBudget();
    const call = { id: '1', name: 'get_list', arguments: '{}' };

    const message = budget.excess({ head, exchanges, message: 'x'.repeat(110) }, facts, settings);
    const rounds = [{ content: '', calls: [call], results: ['[]'] }];
    const called = budget.excess({ head, exchanges, rounds }, facts, settings);

    expect([message, called]).toEqual([6, 6]);
  });

  test('follows the engine’s own count', () => {
    const budget = createPromptBudget();

    budget.learn(head, [{ role: 'system', content: head.system }], counted(220));

    expect(budget.excess({ head, exchanges }, facts, settings)).toBeGreaterThan(0);
  });
});
