import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { ListWords } from './list-words.ts';

/** The position of an item on a list, from 1. Null: the last one. */
export interface ListRank {
  nth: number | null;
}

/** Reads positions on a list: "third", "three", "last". */
export function createRankReader(numbers: NumberReader, words: Pick<ListWords, 'last_one'>) {
  const last = new Set(words.last_one);
  const whole = (said: readonly Word[], from: number): Read<number> | null => {
    const found = numbers.read(said, from);
    return found?.value.bottom === 1n ? { value: Number(found.value.top), end: found.end } : null;
  };
  return (said: readonly Word[], from: number): Read<ListRank> | null => {
    if (last.has(said[from]?.word ?? '')) return { value: { nth: null }, end: from + 1 };
    const found = numbers.readOrdinal(said, from) ?? whole(said, from);
    return found && { value: { nth: found.value }, end: found.end };
  };
}
