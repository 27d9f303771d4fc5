import { bytesPerSample, type Pcm } from '../../audio/pcm.ts';
import type { TranscriptClassification } from './end-silences.ts';
import { secondSentence } from './second-sentence.ts';
import { wordsOf } from './words.ts';

/** An answered utterance whose sentence the person may continue. */
export interface AnsweredPart {
  transcript: string;
  sound: Pcm;
  /** Whether its answer did nothing, or only things at home that can be undone. */
  canBeUndone: () => Promise<boolean>;
  /** Its answer was a question, which the person has heard. A reply is a separate sentence. */
  hasAsked: boolean;
}

/** Window of the speech recognition. Longer sound is not a sentence with a pause. */
const maxJoinedMs = 29_000;

/** A single word that no responder understands counts as half a sentence. */
const maxHalfWords = 1;
/** More words that nothing understands are likely a sentence for another responder. */
const maxRestWords = 3;

interface Part {
  text: string;
  judgement: TranscriptClassification;
}

interface FirstPart extends Part {
  hasAsked?: boolean;
  /** Whether the stored actions can be undone. Only workers understand commands to the house. */
  isUndoableAtHome?: boolean;
}

/**
 * Joins words to the sentence that was answered. `isRest`: the words continue it. False: transcribe both
 * parts to decide. Null: they stand alone.
 */
export async function joinedWith(
  { transcript, sound, hasAsked, canBeUndone }: AnsweredPart,
  judgement: TranscriptClassification,
  words: Part & { sound: Pcm },
): Promise<{ sound: Pcm; isRest: boolean } | null> {
  const before = { text: transcript, judgement, hasAsked };
  const first = { ...before, isUndoableAtHome: needsUndoing(before, words) && (await canBeUndone()) };
  const isRest = isRestOf(first, words);
  const joined = isRest || mayBeRestOf(first, words) ? joinedSound(sound, words.sound) : null;
  return joined && { sound: joined, isRest };
}

/** Whether words may be the rest of the sentence only if its command to the house can be undone. */
function needsUndoing(before: Part, words: Part): boolean {
  const isUndone = { ...before, isUndoableAtHome: true };
  return !isAnyRest(before, words) && isAnyRest(isUndone, words);
}

function isAnyRest(before: FirstPart, words: Part): boolean {
  return isRestOf(before, words) || mayBeRestOf(before, words);
}

/**
 * Whether words are the rest of a sentence that was answered too early: "and eggs to the list", "in Tokyo".
 * Hearth withdraws only a command that it can undo, a question, or half a sentence.
 */
function isRestOf(before: FirstPart, words: Part): boolean {
  if (before.judgement.isLast || !canBeTakenBack(before)) return false;
  if (isEndOf(before.text, words.text)) return true;
  if (isSentence(words.judgement) || isReplyTo(before, words)) return false;
  if (words.judgement.joins) return !words.judgement.states;
  return isHalf(before) && !(words.judgement.beginsAnew && !words.judgement.isReply);
}

/**
 * Whether words may be the rest of a sentence, although neither part shows it: "turn on the kitchen",
 * "lights". Only the sound of both can tell.
 */
function mayBeRestOf(before: FirstPart, words: Part): boolean {
  if (before.judgement.isLast || !canBeTakenBack(before)) return false;
  if (canContinueQuestion(words)) return before.judgement.asks;
  if (isSentence(words.judgement) || words.judgement.joins || isReplyTo(before, words)) return false;
  return wordsOf(words.text).length <= maxRestWords;
}

/**
 * Whether words reply to the question that the first part was answered with. "And eggs" still continues the
 * first part.
 */
function isReplyTo({ hasAsked = false }: FirstPart, { judgement: { isReply, joins } }: Part): boolean {
  return hasAsked && (isReply || !joins);
}

/** Whether the joint transcript `whole` is one sentence. A reply to a question stays a separate one. */
export function isOneSentence({ before, words, whole }: { before: Part; words: Part; whole: Part }): boolean {
  if (whole.judgement.isWhole) return true;
  if (canContinueQuestion(words)) return false;
  return words.judgement.joins || secondSentence(before.text, whole.text) === null;
}

function isSentence({ isWhole, isReply, asks, isLast, isBackchannel }: TranscriptClassification): boolean {
  return (isWhole && !isReply) || asks || isLast || isBackchannel;
}

/** Whether a few words are a command alone, or the end of a question: "plus two". */
function canContinueQuestion({ text, judgement }: Part): boolean {
  const { isWhole, isReply, joins, asks, isLast } = judgement;
  return isWhole && joins && !isReply && !asks && !isLast && wordsOf(text).length <= maxRestWords;
}

function isHalf({ text, judgement }: Part): boolean {
  const { isWhole, asks, states, goesOn, mayGoOn, mayGetLonger } = judgement;
  if (goesOn || mayGetLonger || (mayGoOn && !isWhole && !asks && !states)) return true;
  return !isWhole && !asks && !states && wordsOf(text).length <= maxHalfWords;
}

function canBeTakenBack(part: FirstPart): boolean {
  const { isWhole, isUndoable, asks, states } = part.judgement;
  return isWhole ? isUndoable : asks || states || part.isUndoableAtHome === true || isHalf(part);
}

/** Whether recognition had already completed the previous sentence, and now transcribes its real end. */
function isEndOf(before: string, words: string): boolean {
  const [all, end] = [wordsOf(before), wordsOf(words)];
  return end.length > 1 && end.length < all.length && all.slice(-end.length).join(' ') === end.join(' ');
}

/** Both parts as one recording. Null: it would be too long. */
function joinedSound(before: Pcm, rest: Pcm): Pcm | null {
  const samples = Buffer.concat([before.samples, rest.samples]);
  const ms = (samples.length / bytesPerSample / rest.sampleRateHz) * 1_000;
  return ms > maxJoinedMs ? null : { sampleRateHz: rest.sampleRateHz, samples };
}
