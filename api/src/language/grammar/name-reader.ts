import type { Read } from '../numbers/number-reader.ts';
import { joinedWords, type Word } from './words.ts';

/** Reads the longest of these names at a word position: "new york" before "new". */
export function createNameReader<T>(names: ReadonlyMap<string, T>) {
  const maxWords = Math.max(0, ...[...names.keys()].map((name) => name.split(' ').length));

  return (said: readonly Word[], from: number): Read<T> | null => {
    for (let end = Math.min(from + maxWords, said.length); end > from; end -= 1) {
      const value = names.get(joinedWords(said.slice(from, end)));
      if (value !== undefined) return { value, end };
    }
    return null;
  };
}
