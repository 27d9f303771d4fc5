import type { DurationReader, DurationWords } from '../durations/duration-reader.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import type { NumberReader } from '../numbers/number-reader.ts';

/**
 * Spanish durations: "una hora y cuarto" and "hora y media" need no article. Everything else is said as in
 * English.
 */
export function createSpanishDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const [article = ''] = words.one;
  const reader = createDurationReader(words, {
    ...numbers,
    read(said, from) {
      const number = numbers.read(said, from);
      const [before, first] = [said[from - 1], said[from]];
      if (number || !before || !first || !words.and.includes(before.word)) return number;
      const part = numbers.read([{ ...first, word: article }, first], 0);
      return part && part.value.bottom > 1n ? { value: part.value, end: from + 1 } : null;
    },
  });
  return {
    ...reader,
    read(said, from) {
      const [unit, and] = [said[from], said[from + 1]];
      const isBare = unit && and && reader.isUnit(unit.word) && words.and.includes(and.word);
      if (!isBare) return reader.read(said, from);
      const found = reader.read(said.toSpliced(from, 0, { ...unit, word: article }), from);
      return found && found.end > from + 3 ? { value: found.value, end: found.end - 1 } : null;
    },
  };
}
