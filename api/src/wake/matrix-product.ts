/** A matrix prepared for many multiplications with a column. */
interface MatrixProduct {
  /** Row indexes and values of the nonzero column entries. */
  places: Int32Array;
  values: Float64Array;
  /** Multiplies with the first `count` entries. `sums` then contains one result per matrix row. */
  multiply(count: number): void;
  sums: Float64Array;
}

/** Rows computed at once: four doubles with two sums each. */
const groupRows = 8;
/**
 * Two weights share a double. The second is scaled by this, which leaves room for `blockLength` products of
 * the first.
 */
const shift = 2 ** 26;
/** 255 * 128 * 1,000 is less than half of `shift`, so both sums stay exact. */
const blockLength = 1_000;

/**
 * Multiplies weights from `packWeights` with a column of int8 differences. Each multiplication of doubles
 * computes two products. Zeros are skipped, often half of the column after a rectifier.
 */
export function createMatrixProduct(packed: Float64Array, rows: number, columns: number): MatrixProduct {
  const groups = Math.ceil(rows / groupRows);
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

/** Separates the two sums in a double. */
function addBoth(sums: Float64Array, place: number, both: number): void {
  const high = Math.round(both / shift);
  sums[place] = (sums[place] ?? 0) + (both - high * shift);
  sums[place + 1] = (sums[place + 1] ?? 0) + high;
}

/** Prepares an int8 weight matrix (row-major) for any number of products. */
export function packWeights(weights: Int8Array, rows: number, columns: number): Float64Array {
  const groups = Math.ceil(rows / groupRows);
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
