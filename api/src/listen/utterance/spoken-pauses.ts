import type { UtteranceEdge } from '../../audio/listener.ts';
import type { PauseHabit } from './end-silences.ts';

/** The longest pause in each of a person's recent sentences, in ms, newest last. */
export type SpokenPauses = readonly number[];

const maxSentences = 20;
/** A shorter sentence has no room for a pause. */
const minSpeechMs = 1_000;
/**
 * Speech that begins this soon after an end, while no answer is playing, continues the sentence. Longer
 * silences separate sentences.
 */
const maxPauseMs = 1_500;
/**
 * People cannot react to an answer this quickly, so speech that begins sooner continues the sentence, too.
 */
const minReactionMs = 400;
/** A pause counts once it occurs often enough. The few longest are ignored. */
const [minSentences, share] = [2, 0.85];
const sentencesToKnow = 8;
/** A first stretch of speech up to this length may be a wake word or a name alone, said slowly. */
const maxCallMs = 1_200;

/** Computes a person's habit from their pauses. Null: too little is known. */
export function habitOf(pauses: SpokenPauses): PauseHabit | null {
  if (pauses.length < minSentences) return null;
  const pauseMs = pauses.toSorted((one, other) => one - other)[Math.floor(share * pauses.length)] ?? 0;
  return { pauseMs, isKnown: pauses.length >= sentencesToKnow };
}

interface Sentence {
  fromMs: number;
  untilMs: number;
  longestMs: number;
  /** It has no pause yet. */
  isUnbroken: boolean;
  /** It was already counted at an earlier end. */
  isCounted: boolean;
}

interface SpokenPausesOptions {
  /** How long an answer has been audible, 0 if none. Speech during an answer is a new sentence. */
  audibleForMs: () => number;
  /** Whether people call the assistant before a sentence. The pause after the call is not a habit. */
  isCalled: () => boolean;
  /** Called when the pauses have changed. */
  onLearned: (pauses: SpokenPauses) => void;
}

/** Learns from the edges of one microphone how long people pause inside sentences. */
export function createSpokenPauses({ audibleForMs, isCalled, onLearned }: SpokenPausesOptions) {
  let pauses: SpokenPauses = [];
  let sentence: Sentence | null = null;

  const resumed = (fromMs: number): void => {
    if (sentence === null) return;
    const isCall = sentence.isUnbroken && isCalled() && sentence.untilMs - sentence.fromMs <= maxCallMs;
    if (isCall) sentence.fromMs = fromMs;
    else sentence.longestMs = Math.max(sentence.longestMs, Math.round(fromMs - sentence.untilMs));
    sentence.isUnbroken = false;
  };
  const started = ({ fromMs, continues }: Extract<UtteranceEdge, { type: 'started' }>): void => {
    const pauseMs = sentence ? fromMs - sentence.untilMs : Number.POSITIVE_INFINITY;
    if (continues || (pauseMs <= maxPauseMs && audibleForMs() < minReactionMs)) resumed(fromMs);
    else sentence = { fromMs, untilMs: fromMs, longestMs: 0, isUnbroken: true, isCounted: false };
  };
  const ended = ({ cause, untilMs }: Extract<UtteranceEdge, { type: 'ended' }>): void => {
    if (sentence === null || cause === 'cleared' || cause === 'commit') {
      sentence = null;
      return;
    }
    sentence.untilMs = untilMs;
    if (untilMs - sentence.fromMs < minSpeechMs) return;
    const others = sentence.isCounted ? pauses.slice(0, -1) : pauses;
    sentence.isCounted = true;
    pauses = [...others, sentence.longestMs].slice(-maxSentences);
    onLearned(pauses);
  };

  return {
    onEdge(edge: UtteranceEdge): void {
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'ended') ended(edge);
      else if (edge.type === 'resumed') resumed(edge.fromMs);
      else if (sentence) sentence.untilMs = edge.untilMs;
    },
    /** The sentence was answered: later speech is a new sentence, however soon it begins. */
    answered(): void {
      sentence = null;
    },
    /** Replaces the pauses with stored ones. */
    know(known: SpokenPauses): void {
      pauses = known;
    },
    habit: (): PauseHabit | null => habitOf(pauses),
  };
}
