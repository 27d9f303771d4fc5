import { wordsOf } from '../utterance/words.ts';

/**
 * Claims an utterance across all api processes. Returns the first owner within the last `agoMs`: `owner` or
 * another one.
 */
export type ClaimUtterance = (key: string, owner: string, agoMs: number) => Promise<string>;

interface LocatedTranscript {
  transcript: string;
  conversation: string;
  room: string | null;
  /**
   * How long ago its speech began, in ms. An older claim for the same words belongs to an earlier utterance.
   */
  begunAgoMs: number;
}

/** Whether another satellite in the conversation or room already claimed the same words. That one answers. */
export async function isDuplicate(
  claim: ClaimUtterance,
  owner: string,
  utterance: LocatedTranscript,
): Promise<boolean> {
  const words = wordsOf(utterance.transcript).join(' ');
  if (words === '') return false;
  // The order is fixed: two satellites with the same words claim the same key first. Exactly one wins.
  const keys = [
    ...(utterance.room === null ? [] : [`room:${utterance.room}:${words}`]),
    `conversation:${utterance.conversation}:${words}`,
  ];
  for (const key of keys) {
    if ((await claim(key, owner, utterance.begunAgoMs)) !== owner) return true;
  }
  return false;
}
