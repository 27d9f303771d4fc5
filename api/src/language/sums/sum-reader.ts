import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';
import type { Sum } from './sum.ts';

/** Reads sums as they are said: "seven times eight", "15% of 80", "the square root of 144 plus two". Times comes before plus, as on paper. */
export interface SumReader {
  /** The longest sum that begins here; a number alone is none. */
  read(said: readonly Word[], from: number): Read<Sum> | null;
}
