import { expect, test } from 'vitest';
import { choiceAt } from '../../../api/src/settings/network-store.ts';

test('an unconfirmed change holds until its time, and then reverts once', () => {
  const pending = { isOpen: false, revertsAtMs: 1_000 };

  expect(choiceAt(pending, 999)).toEqual(pending);
  expect(choiceAt(pending, 1_000)).toEqual({ isOpen: true, revertsAtMs: null });
  expect(choiceAt({ isOpen: true, revertsAtMs: null }, 9_999)).toEqual({ isOpen: true, revertsAtMs: null });
});
