import type { SlotType } from '../grammar/walk.ts';
import type { Word } from '../grammar/words.ts';
import type { Read } from '../numbers/number-reader.ts';

/** A slot for whatever a reader reads, all of it. */
export function slotOf(read: (words: readonly Word[], from: number) => Read<unknown> | null): SlotType {
  return {
    ends(words, from) {
      const found = read(words, from);
      return found ? [found.end] : [];
    },
  };
}
