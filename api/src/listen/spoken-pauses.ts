import type { UtteranceEdge } from '../audio/listener.ts';
import type { PauseHabit } from './end-silences.ts';

/** The longest pause inside each of somebody's last sentences, in ms, the newest last. */
export type SpokenPauses = readonly number[];

const maxSentences = 20;
/** A shorter sentence has no room for a pause. */
const leastSpeechMs = 1_000;
/** Speech that begins this soon after an end, while no answer is heard, went on. Longer silences are no pauses inside a sentence. */
const maxPauseMs = 1_500;
/** Nobody reacts to an answer as soon as this: speech that begins while so little of it was heard went on too. */
const leastReactionMs = 400;
/** A pause is waited for once it is no exception, and the few longest are not. */
const [leastSentences, share] = [2, 0.85];
const sentencesToKnow = 8;

/** How somebody speaks who made these pauses; null: too little is known. */
export function habitOf(pauses: SpokenPauses): PauseHabit | null {
  if (pauses.length < leastSentences) return null;
  const pauseMs = pauses.toSorted((one, other) => one - other)[Math.floor(share * pauses.length)] ?? 0;
  return { pauseMs, isKnown: pauses.length >= sentencesToKnow };
}

interface Sentence {
  fromMs: number;
  untilMs: number;
  longestMs: number;
  /** It was counted when it seemed to be over. */
  isCounted: boolean;
}

interface SpokenPausesOptions {
  /** How long an answer has been heard; 0: none is. Who speaks into one says something new. */
  heardMs: () => number;
  /** More is known of how they speak. */
  onLearned: (pauses: SpokenPauses) => void;
}

/** Learns from the edges of one microphone how long its people pause inside their sentences. */
export function createSpokenPauses({ heardMs, onLearned }: SpokenPausesOptions) {
  let pauses: SpokenPauses = [];
  let sentence: Sentence | null = null;

  const paused = (pauseMs: number): void => {
    if (sentence) sentence.longestMs = Math.max(sentence.longestMs, Math.round(pauseMs));
  };
  const started = ({ fromMs, continues }: Extract<UtteranceEdge, { type: 'started' }>): void => {
    const pauseMs = sentence ? fromMs - sentence.untilMs : Number.POSITIVE_INFINITY;
    if (continues || (pauseMs <= maxPauseMs && heardMs() < leastReactionMs)) paused(pauseMs);
    else sentence = { fromMs, untilMs: fromMs, longestMs: 0, isCounted: false };
  };
  const ended = ({ cause, untilMs }: Extract<UtteranceEdge, { type: 'ended' }>): void => {
    if (sentence === null || cause === 'cleared' || cause === 'commit') {
      sentence = null;
      return;
    }
    sentence.untilMs = untilMs;
    if (untilMs - sentence.fromMs < leastSpeechMs) return;
    const others = sentence.isCounted ? pauses.slice(0, -1) : pauses;
    sentence.isCounted = true;
    pauses = [...others, sentence.longestMs].slice(-maxSentences);
    onLearned(pauses);
  };

  return {
    hear(edge: UtteranceEdge): void {
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'ended') ended(edge);
      else if (edge.type === 'resumed') paused(sentence ? edge.fromMs - sentence.untilMs : 0);
      else if (sentence) sentence.untilMs = edge.untilMs;
    },
    /** The sentence was answered: whatever comes now is another one, however soon. */
    answered(): void {
      sentence = null;
    },
    /** So much is known of whoever speaks here. */
    know(known: SpokenPauses): void {
      pauses = known;
    },
    habit: (): PauseHabit | null => habitOf(pauses),
  };
}
