import type { Played } from '../../turn-client/turn-client.ts';
import type { ResponseDone } from '../events/listen-events.ts';
import type { createAnswerRelay } from './answer-relay.ts';
import type { Response } from './response.ts';
import type { ResponseTimes } from './response-times.ts';

/** Finished answers for which a satellite may still report how much it played. */
const maxPast = 4;
/**
 * A satellite that has played everything may report this much less, in ms, because it counts whole chunks.
 */
const reportToleranceMs = 200;

export interface NewAnswer {
  turnId: string;
  /** Clock time at which the person fell silent, and the silence that confirmed it. */
  speechEndMs: number;
  endSilenceMs: number;
  /** If the answer takes longer, the assistant says that it is still working. Null: it never does. */
  fillerAfterMs: number | null;
  /**
   * Cancels the turn. The conversation keeps the played part of the reply. Undefined: it keeps nothing of the
   * turn.
   */
  onCut: (playedText?: string) => void;
  /** Called when playback of the answer is over. */
  onPlayed?: (played: Played) => void;
}

/** An answer with the response that plays it. */
export interface SpokenAnswer extends Pick<NewAnswer, 'onCut' | 'onPlayed'> {
  response: Response;
  times: ResponseTimes;
  relay: ReturnType<typeof createAnswerRelay>;
  onDone: (done: ResponseDone) => void;
  /** The response answers a request. */
  isAsked: boolean;
  /** A timer is ringing. A muted loudspeaker plays it, too. */
  rings: boolean;
  /** How often speech interrupted it and it continued. */
  continued: number;
  /** How much the satellite has reported as played; null: nothing yet. */
  playedMs: number | null;
}

/** Whether the reported length covers all sound that was sent. */
const isWhole = (response: Response, playedMs: number): boolean =>
  playedMs >= response.soundMs() - reportToleranceMs;

/** The played words, if the satellite reported less than the whole answer. Null: it has not. */
export function shortOf({ response, playedMs }: SpokenAnswer): string | null {
  return playedMs === null || isWhole(response, playedMs) ? null : response.playedText(playedMs);
}

export interface AnswerSound {
  /** How much was sent. */
  sentMs: number;
  /** How much counts as heard: all that was sent, or what the satellite reports. */
  playedMs: number;
}

export function soundOf({ response, playedMs }: SpokenAnswer): AnswerSound {
  const sentMs = response.soundMs();
  return { sentMs, playedMs: Math.min(playedMs ?? sentMs, sentMs) };
}

export function playedOf(
  { times }: SpokenAnswer,
  { status, reason }: Pick<ResponseDone, 'status' | 'reason'>,
): Played {
  return { ...times.moments(), status, reason };
}

/** Keeps finished answers for a while: the satellite may still report that it played only a part. */
export function createPastAnswers() {
  let past: (SpokenAnswer & { isCut: boolean })[] = [];
  const find = (turnId: string) => past.find(({ response }) => response.turnId === turnId);
  return {
    add(answer: SpokenAnswer, isCut: boolean): void {
      past = [...past, { ...answer, isCut }].slice(-maxPast);
    },
    find,
    /** Withdraws an answer, so that the conversation keeps nothing of it. */
    withdraw(turnId: string): void {
      find(turnId)?.onCut('');
    },
    /** Later reports no longer change what the conversation keeps of an answer. */
    settle(turnId: string): void {
      const over = find(turnId);
      if (over) over.onCut = () => undefined;
    },
    /** The satellite reports how much it has played. */
    played(turnId: string, playedMs: number): void {
      const over = find(turnId);
      if (!over) return;
      over.playedMs = playedMs;
      if (!over.isCut && isWhole(over.response, playedMs)) return;
      over.isCut = true;
      over.onCut(over.response.playedText(playedMs));
    },
  };
}
