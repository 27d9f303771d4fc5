import { describe, expect, test } from 'vitest';
import { findConversations, findMemory } from '../../../api/src/check/room.ts';

describe('the check of Redis memory', () => {
  test.each([
    [79, 'ok', 'It uses 79 MB of 100 MB.'],
    [80, 'warning', 'Redis is nearly full: 80 % of 100 MB is used.'],
    [94, 'warning', 'Redis is nearly full: 94 % of 100 MB is used.'],
    [95, 'failed', 'Redis is full: 95 % of 100 MB is used.'],
  ])('reports a use of %d %%', (used, state, message) => {
    expect(findMemory({ usedBytes: used * 1e6, maxBytes: 100e6 })).toMatchObject({ state, message });
  });

  test('passes without a limit', () => {
    expect(findMemory({ usedBytes: 9e9, maxBytes: 0 })).toMatchObject({ state: 'ok' });
  });
});

describe('the check of conversations', () => {
  const room = { usedBytes: 180e6, maxBytes: 192e6 };

  test('passes while they have space', () => {
    const givenUp = { turns: 0, conversations: 0 };

    expect(findConversations({ ...room, givenUp })).toEqual({
      state: 'ok',
      message: 'They take 180 MB of 192 MB.',
    });
  });

  test.each([
    [1, 'the oldest turn was forgotten.'],
    [12, 'the 12 oldest turns were forgotten.'],
  ])('reports %d dropped turns, and the remedy', (turns, what) => {
    expect(findConversations({ ...room, givenUp: { turns, conversations: 0 } })).toEqual({
      state: 'warning',
      message: `The 192 MB for conversations are used up, so ${what}`,
      advice: 'If you want to keep more, make "memory_mb" larger in the settings.',
    });
  });
});
