import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dropsToTry,
  estimateTokens,
  exchangesBeyondLimit,
  exchangesToDrop,
} from '../../../../api/src/respond/model/history.ts';

/** An exchange of this many tokens, at one byte per token; 16 of them are the template's own. */
const exchange = (tokens: number) => ({ user: 'x'.repeat(tokens - 16), assistant: '' });
const exchanges = (count: number, tokens: number) => Array.from({ length: count }, () => exchange(tokens));
const drop = (count: number, budgetTokens: number) =>
  exchangesToDrop(exchanges(count, 100), { budgetTokens, bytesPerToken: 1 });

describe('the history', () => {
  test('stays whole while it fits', () => {
    expect(drop(10, 1_000)).toBe(0);
  });

  test('drops to half of the budget at once when it does not fit', () => {
    expect(drop(11, 1_000)).toBe(6);
  });

  test('is not cut again until the budget is full once more', () => {
    const cuts: number[] = [];
    let kept = 0;
    for (let turn = 0; turn < 100; turn += 1) {
      const dropped = drop(kept, 1_000);
      if (dropped > 0) cuts.push(turn);
      kept = kept - dropped + 1;
    }

    expect(cuts.slice(1).map((turn, index) => turn - (cuts[index] ?? 0))).toEqual(cuts.slice(1).map(() => 6));
  });

  test('has at most a hundred exchanges, however short', () => {
    expect(exchangesToDrop(exchanges(100, 17), { budgetTokens: 1e6, bytesPerToken: 1 })).toBe(0);
    expect(exchangesToDrop(exchanges(101, 17), { budgetTokens: 1e6, bytesPerToken: 1 })).toBe(51);
  });

  test.each([0, 1, 100, 101, 102, 200])('is limited to the same number of %i without a model', (count) => {
    const dropped = exchangesToDrop(exchanges(count, 17), { budgetTokens: 1e6, bytesPerToken: 1 });

    expect(exchangesBeyondLimit(count)).toBe(dropped);
  });

  test.each([0, -500])('is omitted when the budget is %i', (budgetTokens) => {
    expect(drop(3, budgetTokens)).toBe(3);
  });

  test('always fits after a cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 17, max: 400 }), { maxLength: 150 }),
        fc.integer({ min: -100, max: 5_000 }),
        (sizes, budgetTokens) => {
          const dropped = exchangesToDrop(sizes.map(exchange), { budgetTokens, bytesPerToken: 1 });
          const left = sizes.slice(dropped);
          const total = left.reduce((sum, size) => sum + size, 0);
          expect(left.length).toBeLessThanOrEqual(100);
          expect(total).toBeLessThanOrEqual(Math.max(0, budgetTokens));
        },
      ),
    );
  });

  test('counts bytes, not letters', () => {
    expect(estimateTokens('abcd', 2)).toBe(2);
    expect(estimateTokens('🐱', 2)).toBe(2);
    expect(estimateTokens('a', 4)).toBe(1);
    expect(estimateTokens('', 4)).toBe(0);
  });
});

describe('a prompt that is too long for the engine', () => {
  test('is retried with half of the history, then with the question alone', () => {
    expect(dropsToTry(2, 9)).toEqual([2, 6, 9]);
  });

  test('is not sent twice unchanged', () => {
    expect(dropsToTry(8, 9)).toEqual([8, 9]);
    expect(dropsToTry(9, 9)).toEqual([9]);
    expect(dropsToTry(0, 0)).toEqual([0]);
  });
});
