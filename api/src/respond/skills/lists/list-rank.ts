import type { Word } from '../../../language/grammar/words.ts';
import { type NumberReader, type Read, readWhole } from '../../../language/numbers/number-reader.ts';
import type { ListWords } from './list-words.ts';

/** The position of an item on a list, from 1. Null: the last one. */
export interface ListRank {
  nth: number | null;
}

/** Reads positions on a list: "third", "three", "last". */
export function createRankReader(numbers: NumberReader, words: Pick<ListWords, 'last_one'>) {
  const last = new Set(words.last_one);
  return (said: readonly Word[], from: number): Read<ListRank> | null => {
    if (last.has(said[from]?.word ?? '')) return { value: { nth: null }, end: from + 1 };
    const found = numbers.readOrdinal(said, from) ?? readWhole(numbers, said, from);
    return found && { value: { nth: found.value }, end: found.end };
  };
}
