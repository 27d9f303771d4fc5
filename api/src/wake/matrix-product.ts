/** One matrix, ready to be multiplied with many columns of numbers. */
export interface MatrixProduct {
  /** The numbers of the column that are not 0: how many, their rows, and they themselves. */
  places: Int32Array;
  values: Float64Array;
  /** Multiplies with the first `count` of them; `sums` then holds one result for each row of the matrix. */
  multiply(count: number): void;
  sums: Float64Array;
}

/** Results that are calculated at once: four doubles with two sums in each. */
const groupRows = 8;
/** Two weights share a double: the second is shifted by this many bits, which leaves room for the sum of `blockLength` products of the first. */
const shift = 2 ** 26;
/** 255 * 128 * 1,000 is less than half of the shift, so both sums stay exact. */
const blockLength = 1_000;

/**
 * The product of a matrix of weights (int8, row after row) with a column of differences of int8 numbers. Each multiplication of doubles does two
 * at once, and what is 0 costs nothing; after a rectifier that is often half of the column.
 */
export function createMatrixProduct(weights: Int8Array, rows: number, columns: number): MatrixProduct {
  const groups = Math.ceil(rows / groupRows);
  const packed = packWeights(weights, { rows, columns, groups });
  const places = new Int32Array(columns);
  const values = new Float64Array(columns);
  const sums = new Float64Array(groups * groupRows);

  const multiply = (count: number): void => {
    sums.fill(0);
    for (let from = 0; from < count; from += blockLength) {
      const to = Math.min(count, from + blockLength);
      for (let group = 0; group < groups; group += 1) {
        const row = group * columns;
        let [first, second, third, fourth] = [0, 0, 0, 0];
        for (let n = from; n < to; n += 1) {
          const at = (row + (places[n] ?? 0)) * 4;
          const value = values[n] ?? 0;
          first += value * (packed[at] ?? 0);
          second += value * (packed[at + 1] ?? 0);
          third += value * (packed[at + 2] ?? 0);
          fourth += value * (packed[at + 3] ?? 0);
        }
        const place = group * groupRows;
        addBoth(sums, place, first);
        addBoth(sums, place + 2, second);
        addBoth(sums, place + 4, third);
        addBoth(sums, place + 6, fourth);
      }
    }
  };

  return { places, values, multiply, sums };
}

/** Takes the two sums of a double apart. */
function addBoth(sums: Float64Array, place: number, both: number): void {
  const high = Math.round(both / shift);
  sums[place] = (sums[place] ?? 0) + (both - high * shift);
  sums[place + 1] = (sums[place + 1] ?? 0) + high;
}

interface Size {
  rows: number;
  columns: number;
  groups: number;
}

function packWeights(weights: Int8Array, { rows, columns, groups }: Size): Float64Array {
  const packed = new Float64Array(groups * columns * 4);
  for (let row = 0; row < rows; row += 1) {
    const [group, within] = [Math.floor(row / groupRows), row % groupRows];
    const factor = within % 2 === 0 ? 1 : shift;
    for (let column = 0; column < columns; column += 1) {
      const at = (group * columns + column) * 4 + (within >> 1);
      packed[at] = (packed[at] ?? 0) + (weights[row * columns + column] ?? 0) * factor;
    }
  }
  return packed;
}
