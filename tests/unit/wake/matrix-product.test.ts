import { expect, test } from 'vitest';
import { createMatrixProduct, packWeights } from '../../../api/src/wake/matrix-product.ts';
import { seeded } from '../../support/wake/sounds.ts';

test.each([
  { rows: 1, columns: 1_088, extreme: false },
  { rows: 13, columns: 5, extreme: false },
  { rows: 64, columns: 200, extreme: false },
  { rows: 9, columns: 4_096, extreme: true },
])('the product multiplies $rows x $columns weights exactly', ({ rows, columns, extreme }) => {
  const next = seeded(rows);
  const weights = Int8Array.from({ length: rows * columns }, () =>
    extreme ? -128 : Math.floor(next() * 256) - 128,
  );
  const column = Array.from({ length: columns }, () => (extreme ? 255 : Math.floor(next() * 511) - 255));
  const product = createMatrixProduct(packWeights(weights, rows, columns), rows, columns);
  for (const [place, value] of column.entries()) {
    product.places[place] = place;
    product.values[place] = value;
  }

  product.multiply(columns);

  const expected = Array.from({ length: rows }, (_, row) =>
    column.reduce((sum, value, place) => sum + value * (weights[row * columns + place] ?? 0), 0),
  );
  expect([...product.sums.subarray(0, rows)]).toEqual(expected);
});
