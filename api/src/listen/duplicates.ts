import { wordsOf } from './words.ts';

/** Two satellites that hear the same words within this have heard the same person. */
export const sameWordsWithinMs = 2_000;

/**
 * Writes down who heard something first, in a place that all api processes share, and returns who it was: `owner`, or whoever came before
 * within `forMs`.
 */
export type ClaimUtterance = (key: string, owner: string, forMs: number) => Promise<string>;

export interface LocatedTranscript {
  transcript: string;
  conversation: string;
  room: string | null;
}

/** Whether another satellite of the conversation or the room has heard the same words a moment ago, and answers them. */
export async function isDuplicate(
  claim: ClaimUtterance,
  owner: string,
  utterance: LocatedTranscript,
): Promise<boolean> {
  const words = wordsOf(utterance.transcript).join(' ');
  if (words === '') return false;
  // Always in this order: two that hear the same claim the same key first, so one of them goes on.
  const keys = [
    ...(utterance.room === null ? [] : [`room:${utterance.room}:${words}`]),
    `conversation:${utterance.conversation}:${words}`,
  ];
  for (const key of keys) {
    if ((await claim(key, owner, sameWordsWithinMs)) !== owner) return true;
  }
  return false;
}
