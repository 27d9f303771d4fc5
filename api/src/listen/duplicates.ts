import { wordsOf } from './words.ts';

/**
 * Notes that `owner` heard something, in a place that all api processes share. Returns the one who heard it first within the last `agoMs`:
 * `owner` or another.
 */
export type ClaimUtterance = (key: string, owner: string, agoMs: number) => Promise<string>;

export interface LocatedTranscript {
  transcript: string;
  conversation: string;
  room: string | null;
  /** How long ago its speech began, in ms. Whoever heard the same words before that heard somebody say them before. */
  begunAgoMs: number;
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
    if ((await claim(key, owner, utterance.begunAgoMs)) !== owner) return true;
  }
  return false;
}
