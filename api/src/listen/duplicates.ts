import { wordsOf } from './words.ts';

/** Two satellites that hear the same words within this have heard the same person. */
export const sameWordsWithinMs = 2_000;

/**
 * Notes that `owner` heard something, in a place that all api processes share. Returns the one who heard it first within `forMs`: `owner` or
 * another.
 */
export type ClaimUtterance = (key: string, owner: string, forMs: number) => Promise<string>;

export interface LocatedTranscript {
  transcript: string;
  conversation: string;
  room: string | null;
}

/** Whether another satellite of the conversation or the room heard the same words a moment ago. That one answers. */
export async function isDuplicate(
  claim: ClaimUtterance,
  owner: string,
  utterance: LocatedTranscript,
): Promise<boolean> {
  const words = wordsOf(utterance.transcript).join(' ');
  if (words === '') return false;
  // Always in this order: two satellites that hear the same words claim the same key first, so one of them goes on.
  const keys = [
    ...(utterance.room === null ? [] : [`room:${utterance.room}:${words}`]),
    `conversation:${utterance.conversation}:${words}`,
  ];
  for (const key of keys) {
    if ((await claim(key, owner, sameWordsWithinMs)) !== owner) return true;
  }
  return false;
}
