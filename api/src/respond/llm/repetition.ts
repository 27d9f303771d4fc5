/** Shorter than this a repetition may be meant ("ha ha ha"), longer ones small models do not fall into. */
const shortest = 12;
const longest = 160;
const times = 3;

/** Whether a text has got stuck: it ends with the same words three times in a row. Small models do that, and would go on to their limit. */
export function isStuck(text: string): boolean {
  for (let length = shortest; length <= Math.min(longest, text.length / times); length += 1) {
    const last = text.slice(-length);
    if (text.endsWith(last.repeat(times))) return true;
  }
  return false;
}
