import type { TranscriptClassification } from './end-silences.ts';
import { wordsOf } from './words.ts';

/**
 * If a joint transcript repeats the previous sentence in full and adds another one, returns the other one.
 * Otherwise null.
 */
export function secondSentence(before: string, whole: string): string | null {
  const words = wordsOf(before);
  const pieces = whole.split(/(?<=[.?!])\s+/);
  for (let count = 1; count < pieces.length; count += 1) {
    const first = wordsOf(pieces.slice(0, count).join(' '));
    if (first.length >= words.length)
      return first.join(' ') === words.join(' ') ? pieces.slice(count).join(' ') : null;
  }
  return null;
}

/** Decides whether an utterance continues the previous one, whose transcript is `before`. Null: it cannot. */
export function createContinuation(before: string | null, judge: (text: string) => TranscriptClassification) {
  /** Its first words show that it does not continue the previous utterance. */
  let standsAlone = before === null;

  return {
    /** Whether it can be transcribed without the previous utterance. */
    standsAlone: (): boolean => standsAlone,
    /**
     * Takes a partial transcript that includes the previous utterance. Once its own words are clearly a
     * second sentence, returns only those; the final transcript then skips the previous one.
     */
    overhear(text: string): string {
      const own = standsAlone ? null : secondSentence(before ?? '', text);
      if (own === null || !judge(own).beginsAnew) return text;
      standsAlone = true;
      return own;
    },
    /** Whether the joint transcript is one sentence, which revises the request. */
    isIn: (whole: string): boolean => judge(whole).isWhole || secondSentence(before ?? '', whole) === null,
  };
}
