import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { Sum } from './sum.ts';

/**
 * Reads spoken sums: "seven times eight", "15% of 80", "the square root of 144 plus two". Multiplication
 * comes before addition.
 */
export interface SumReader {
  /** Reads the longest sum that starts here. A single number is not a sum. */
  read(said: readonly Word[], from: number): Read<Sum> | null;
}
