import type { SlotType } from './walk.ts';

interface RunOptions {
  /** Maximum number of words. */
  most: number;
  costPerWord: number;
  isAllowed: (word: string) => boolean;
  /** Whether the slot ends at this gap: '' for none, ',' for a pause, '.' for a sentence end. */
  endsAt: (gap: string) => boolean;
}

/** A slot of a few words, each from an allowed set. */
export function runSlot({ most, costPerWord, isAllowed, endsAt }: RunOptions): SlotType {
  return {
    costPerWord,
    ends(words, from) {
      const ends: number[] = [];
      for (let at = from; at < from + most && isAllowed(words[at]?.word ?? ''); at += 1) {
        if (at > from && endsAt(words[at]?.gap ?? '')) break;
        ends.push(at + 1);
      }
      return ends;
    },
  };
}
