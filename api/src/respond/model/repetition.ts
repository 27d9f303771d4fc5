interface Repetition {
  /** In characters. A shorter repetition may be intended ("ha ha ha"). */
  shortest: number;
  /** Small models do not repeat longer parts. */
  longest: number;
  times: number;
}

const ofWords: Repetition = { shortest: 12, longest: 160, times: 3 };
/** Data may repeat itself: a row of zeros, a few lights that are on. So its minimum is longer. */
const ofData: Repetition = { shortest: 24, longest: 300, times: 6 };

/**
 * Whether a text loops: it ends with the same words three times in a row. Small models do that until their
 * limit.
 */
export const isStuck = (text: string): boolean => repeats(text, ofWords);

/** The same for JSON: a small model may never end a list. */
export const isStuckData = (text: string): boolean => repeats(text, ofData);

function repeats(text: string, { shortest, longest, times }: Repetition): boolean {
  for (let length = shortest; length <= Math.min(longest, text.length / times); length += 1) {
    const last = text.slice(-length);
    if (text.endsWith(last.repeat(times))) return true;
  }
  return false;
}
