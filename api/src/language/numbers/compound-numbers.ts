import { remembered } from '../grammar/remembered.ts';
import type { Word } from '../grammar/words.ts';
import type { NumberReader, Read } from './number-reader.ts';

/** Maximum words of a number and its suffix, more than anyone says. */
const maxWords = 24;

/** Writes the numbers of a language as digits, one word each, and lets the English reader read the result. */
export function readingCompounds(
  reader: NumberReader,
  compoundAt: (said: readonly Word[], at: number) => Read<number> | null,
): NumberReader['read'] {
  return remembered((all, from) => {
    const said = all.slice(from, from + maxWords);
    const words: Word[] = [];
    const ends: number[] = [];
    for (let at = 0; at < said.length; at = ends.at(-1) ?? said.length) {
      const number = compoundAt(said, at);
      const [first, last] = [said[at], said[(number?.end ?? at + 1) - 1]];
      if (first && last) words.push(number ? { ...first, end: last.end, word: String(number.value) } : first);
      ends.push(number?.end ?? at + 1);
    }
    const found = reader.read(words, 0);
    return found && { value: found.value, end: from + (ends[found.end - 1] ?? 0) };
  });
}
