import type { SlotType } from './walk.ts';

interface RunOptions {
  /** Words at the most. */
  most: number;
  costPerWord: number;
  isAllowed: (word: string) => boolean;
  /** Whether it ends before a word with this in front of it: '' for nothing, ',' for a pause, '.' for the end of a sentence. */
  endsAt: (gap: string) => boolean;
}

/** A slot of a few words, each of which may stand there. */
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
