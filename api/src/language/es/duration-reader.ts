import type { DurationReader, DurationWords } from '../durations/duration-reader.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import type { NumberReader } from '../numbers/number-reader.ts';

/** Spanish durations: "una hora y cuarto" needs no article. Everything else is said as in English. */
export function createSpanishDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const [article = ''] = words.one;
  return createDurationReader(words, {
    ...numbers,
    read(said, from) {
      const number = numbers.read(said, from);
      const [before, first] = [said[from - 1], said[from]];
      if (number || !before || !first || !words.and.includes(before.word)) return number;
      const part = numbers.read([{ ...first, word: article }, first], 0);
      return part && part.value.bottom > 1n ? { value: part.value, end: from + 1 } : null;
    },
  });
}
