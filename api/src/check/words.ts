/** Share of the spoken words in the transcript, from 0 to 1: in order, ignoring case and punctuation. */
export function shareTranscribed(said: string, transcript: string): number {
  const [want, have] = [wordsOf(said), wordsOf(transcript)];
  if (want.length === 0) return have.length === 0 ? 1 : 0;
  // Extra words count as much as missing ones.
  return commonInOrder(want, have) / Math.max(want.length, have.length);
}

/** Whether a text contains one of these lower-case words. */
export function hasOneOf(text: string, words: readonly string[]): boolean {
  const spaced = (each: string) => ` ${wordsOf(each).join(' ')} `;
  return words.some((word) => spaced(text).includes(spaced(word)));
}

/** Chinese and Thai put no spaces between words: each letter counts as one. */
const word = /[\p{Script=Han}\p{Script=Thai}]\p{M}*|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Thai}]]+/gv;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}

/** Length of the longest common subsequence. */
function commonInOrder(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const word of one) {
    const next = [0];
    for (const [at, have] of other.entries()) {
      next.push(word === have ? (row[at] ?? 0) + 1 : Math.max(next[at] ?? 0, row[at + 1] ?? 0));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
