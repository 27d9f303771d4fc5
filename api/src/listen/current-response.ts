import type { Played } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';
import type { Saying } from './echo.ts';
import type { CancelReason, ResponseDone, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponse, type Response } from './response.ts';
import { createResponseTimes } from './response-times.ts';
import type { Taker } from './speculative-turn.ts';

/** So long a satellite may take to tell how much of a cut answer it had played. */
const lateWordMs = 5_000;

interface CurrentResponseOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: Saying;
  /** Where the satellite stands. */
  place: () => string;
  aheadMs: number;
  /** An answer that somebody asked for is over: he is there. */
  onAnswered: () => void;
}

export interface NewAnswer {
  turnId: string;
  /** When the person fell silent, by the clock; and how much silence it took to be certain of it. */
  speechEndMs: number;
  endSilenceMs: number;
  /** Something is said when it takes longer; null: nothing is. */
  fillerAfterMs: number | null;
  /** Ends the work on it; the conversation keeps what was heard of the reply, undefined: as if nothing had been asked. */
  onCut: (playedText?: string) => void;
  /** It has been heard, or as much of it as there was. */
  onPlayed?: (played: Played) => void;
}

interface Answer {
  response: Response;
  onCut: NewAnswer['onCut'];
  onDone: (done: ResponseDone) => void;
  /** Somebody has asked for it. */
  isAsked: boolean;
}

export type CurrentResponse = ReturnType<typeof createCurrentResponse>;

/** What the assistant is about to say on one connection: one response at a time, a new one ends the one before. */
export function createCurrentResponse(options: CurrentResponseOptions) {
  const { clock, saying, place } = options;
  let current: Answer | null = null;
  let cut: (Answer & { atMs: number }) | null = null;

  const ended = (done: ResponseDone): void => {
    if (current?.response.turnId !== done.turn_id) return;
    const { onCut, onDone } = current;
    if (done.status === 'failed') onCut();
    if (done.status !== 'completed') saying.stop(place(), clock.nowMs());
    current = null;
    onDone(done);
  };

  const cancel = (reason: CancelReason): void => {
    if (current === null) return;
    const { response, onCut } = current;
    const wasAudible = response.isAudible();
    if (wasAudible) cut = { ...current, atMs: clock.nowMs() };
    const playedText = response.cancel(reason);
    onCut(wasAudible ? playedText : undefined);
  };

  const begin = (answer: Omit<Answer, 'response'> & Omit<NewAnswer, 'onCut'>): void => {
    cancel('turn_detected');
    const { turnId, fillerAfterMs } = answer;
    const times = createResponseTimes({ clock, ...answer });
    const response = createResponse({
      ...options,
      turnId,
      fillerAfterMs,
      times,
      onWords: ({ text, fromMs, lengthMs }) =>
        saying.add(place(), { text, fromMs, untilMs: fromMs + lengthMs }),
      onDone: (done) => {
        answer.onPlayed?.({ ...times.moments(), status: done.status, reason: done.reason });
        ended(done);
      },
    });
    current = { ...answer, response };
  };

  return {
    begin: (asked: NewAnswer): void => begin({ ...asked, onDone: options.onAnswered, isAsked: true }),
    /** Something that the assistant says of its own accord: a timer rings. */
    announce: (turnId: string, onDone: (done: ResponseDone) => void): void =>
      begin({
        turnId,
        onDone,
        isAsked: false,
        fillerAfterMs: null,
        speechEndMs: clock.nowMs(),
        endSilenceMs: 0,
        onCut: () => undefined,
      }),
    /** Where the answer of a turn is handed in; null when it is not wanted any more. */
    takerOf: (turnId: string): Taker | null =>
      current?.response.turnId === turnId ? current.response.taker : null,
    /** Ends the answer, whichever it is or only that of one turn. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /** Someone speaks: what is being heard ends, what is not heard yet waits. Returns whether an answer was interrupted. */
    interrupt(): boolean {
      if (current === null) return false;
      const { response, isAsked } = current;
      if (response.isAudible()) {
        cancel('turn_detected');
        return isAsked;
      }
      current.response.hold();
      return false;
    },
    /** Nobody speaks any more. */
    release: () => current?.response.release(),
    isPending: () => current !== null,
    isPlaying: () => current?.response.isPlaying() ?? false,
    /** The satellite tells how much of a turn's sound it has played. */
    playbackFinished(turnId: string, playedMs: number): void {
      if (current?.response.turnId === turnId) {
        current.response.playbackFinished();
      } else if (cut?.response.turnId === turnId && clock.nowMs() - cut.atMs <= lateWordMs) {
        cut.onCut(cut.response.playedText(playedMs));
        cut = null;
      }
    },
  };
}
