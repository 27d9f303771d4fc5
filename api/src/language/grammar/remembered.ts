import type { Read } from '../numbers/number-reader.ts';
import type { Word } from './words.ts';

type Reader<T> = (said: readonly Word[], from: number) => Read<T> | null;

/** A reader that caches each position of a sentence, because many skill sentences try it there. */
export function remembered<T>(read: Reader<T>): Reader<T> {
  const known = new WeakMap<readonly Word[], Map<number, Read<T> | null>>();
  return (said, from) => {
    const places = known.get(said) ?? new Map<number, Read<T> | null>();
    known.set(said, places);
    const found = places.get(from);
    if (found !== undefined) return found;
    const result = read(said, from);
    places.set(from, result);
    return result;
  };
}
