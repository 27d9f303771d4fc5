import { expect, test } from 'vitest';
import { statesBefore } from '../../../api/src/turn/turn.ts';

test.each([
  ['waiting', []],
  ['transcribing', ['waiting', 'transcribing']],
  ['transcribed', ['transcribing']],
  ['responding', ['waiting', 'transcribed']],
  ['thinking', ['responding']],
  ['held', ['responding', 'thinking']],
  ['speaking', ['responding', 'thinking', 'held']],
  ['done', ['responding', 'thinking', 'held', 'speaking']],
  ['failed', ['waiting', 'transcribing', 'transcribed', 'responding', 'thinking', 'held']],
  ['cancelled', ['waiting', 'transcribing', 'transcribed', 'responding', 'thinking', 'held', 'speaking']],
] as const)('a turn becomes %s only from %o', (state, before) => {
  expect(statesBefore(state)).toEqual(before);
});
