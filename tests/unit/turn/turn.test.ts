import { expect, test } from 'vitest';
import { statesBefore } from '../../../api/src/turn/turn.ts';

test.each([
  ['responding', ['waiting']],
  ['done', ['responding']],
  ['failed', ['waiting', 'responding']],
  ['cancelled', ['waiting', 'responding']],
  ['waiting', []],
] as const)('a turn becomes %s only from %o', (state, before) => {
  expect(statesBefore(state)).toEqual(before);
});
