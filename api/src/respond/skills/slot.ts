import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Read } from '../../language/numbers/number-reader.ts';

/** A slot for whatever a reader reads, all of it. */
export function slotOf(read: (words: readonly Word[], from: number) => Read<unknown> | null): SlotType {
  return {
    ends(words, from) {
      const found = read(words, from);
      return found ? [found.end] : [];
    },
  };
}
