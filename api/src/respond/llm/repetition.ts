interface Repetition {
  /** In letters. Shorter than this a repetition may be meant ("ha ha ha"). */
  shortest: number;
  /** Longer ones small models do not fall into. */
  longest: number;
  times: number;
}

const ofWords: Repetition = { shortest: 12, longest: 160, times: 3 };
/** Data may repeat itself: a row of noughts, a few lights that are on. Its parts are longer. */
const ofData: Repetition = { shortest: 24, longest: 300, times: 6 };

/** Whether a text has got stuck: it ends with the same words three times in a row. Small models do that, and would go on to their limit. */
export const isStuck = (text: string): boolean => repeats(text, ofWords);

/** The same of JSON, whose lists a small model may never end. */
export const isStuckData = (text: string): boolean => repeats(text, ofData);

function repeats(text: string, { shortest, longest, times }: Repetition): boolean {
  for (let length = shortest; length <= Math.min(longest, text.length / times); length += 1) {
    const last = text.slice(-length);
    if (text.endsWith(last.repeat(times))) return true;
  }
  return false;
}
