import { expect, test } from 'vitest';
import { compareNames } from '../../api/src/name-order.ts';

test('sorts numbers in names by their value', () => {
  const names = ['10', 'Lamp 10', '2', 'lamp 2', '1', '10 eggs', '2 eggs', 'Lamp 1'];

  expect(names.toSorted(compareNames)).toEqual([
    ...['1', '2', '2 eggs', '10', '10 eggs'],
    ...['Lamp 1', 'lamp 2', 'Lamp 10'],
  ]);
});
