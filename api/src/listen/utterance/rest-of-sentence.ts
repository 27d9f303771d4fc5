import { bytesPerSample, type Pcm } from '../../audio/pcm.ts';
import type { Judgement } from './end-silences.ts';

/** An utterance that was answered, although the person may go on with its sentence. */
export interface AnsweredPart {
  transcript: string;
  sound: Pcm;
}

/** Window of the speech recognition. Longer sound is no sentence with a pause. */
const maxJoinedMs = 29_000;

/**
 * Whether words are the rest of a sentence that was answered too early, and no sentence of their own: "and
 * eggs to the list", "in Tokyo". Only a command that can be undone, a question or half a sentence is taken
 * back.
 */
export function isRestOf(before: Judgement, words: Judgement): boolean {
  const { isWhole, asks, states, isLast, onlyListens, beginsAnew, joins } = words;
  if (isWhole || asks || states || isLast || onlyListens) return false;
  const isHalf = before.goesOn || before.mayGoOn;
  const canBeTakenBack = (before.isWhole && before.isUndoable) || before.asks || before.states || isHalf;
  if (before.isLast || !canBeTakenBack) return false;
  return joins || (isHalf && !before.isWhole && !beginsAnew);
}

/** Both parts as one recording. Null: it would be too long. */
export function joinedSound(before: Pcm, rest: Pcm): Pcm | null {
  const samples = Buffer.concat([before.samples, rest.samples]);
  const ms = (samples.length / bytesPerSample / rest.sampleRateHz) * 1_000;
  return ms > maxJoinedMs ? null : { sampleRateHz: rest.sampleRateHz, samples };
}
