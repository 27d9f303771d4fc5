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

/** A pure function of a text that caches its latest results, at most `max` of them. */
export function rememberedTexts<T>(read: (text: string) => T, max: number): (text: string) => T {
  const known = new Map<string, { result: T }>();
  return (text) => {
    const found = known.get(text) ?? { result: read(text) };
    known.delete(text);
    known.set(text, found);
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
    return found.result;
  };
}
