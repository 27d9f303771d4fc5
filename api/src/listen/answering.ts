import type { Clock } from './clock.ts';
import type { Taker } from './draft.ts';
import type { Saying } from './echo.ts';
import type { CancelReason, ResponseDone, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponse, type Response } from './response.ts';
import { createResponseTimes } from './response-times.ts';

/** So long a satellite may take to tell how much of a cut answer it had played. */
const lateWordMs = 5_000;

interface AnsweringOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: Saying;
  /** Where the satellite stands. */
  place: () => string;
  aheadMs: number;
  fillerAfterMs: number | null;
}

export interface NewAnswer {
  turnId: string;
  /** When the person fell silent, by the clock; and how much silence it took to be certain of it. */
  speechEndMs: number;
  endSilenceMs: number;
  /** Ends the work on it; the conversation keeps what was heard of the reply, undefined: as if nothing had been asked. */
  onCut: (heard?: string) => void;
}

interface Answer {
  response: Response;
  onCut: NewAnswer['onCut'];
}

export type Answering = ReturnType<typeof createAnswering>;

/** What the assistant is about to say on one connection: one response at a time, a new one ends the one before. */
export function createAnswering(options: AnsweringOptions) {
  const { clock, saying, place } = options;
  let current: Answer | null = null;
  let cut: (Answer & { atMs: number }) | null = null;

  const ended = ({ turn_id, status }: ResponseDone): void => {
    if (current?.response.turnId !== turn_id) return;
    if (status === 'failed') current.onCut();
    if (status !== 'completed') saying.stop(place(), clock.nowMs());
    current = null;
  };

  const cancel = (reason: CancelReason): void => {
    if (current === null) return;
    const { response, onCut } = current;
    const wasAudible = response.isAudible();
    if (wasAudible) cut = { ...current, atMs: clock.nowMs() };
    const heard = response.cancel(reason);
    onCut(wasAudible ? heard : undefined);
  };

  return {
    begin({ turnId, speechEndMs, endSilenceMs, onCut }: NewAnswer): void {
      cancel('turn_detected');
      const response = createResponse({
        ...options,
        turnId,
        times: createResponseTimes({ clock, speechEndMs, endSilenceMs }),
        onWords: ({ text, fromMs, lengthMs }) =>
          saying.add(place(), { text, fromMs, untilMs: fromMs + lengthMs }),
        onDone: ended,
      });
      current = { response, onCut };
    },
    /** Where the answer of a turn is handed in; null when it is not wanted any more. */
    takerOf: (turnId: string): Taker | null =>
      current?.response.turnId === turnId ? current.response.taker : null,
    /** Ends the answer, whichever it is or only that of one turn. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /** Someone speaks: what is being heard ends, what is not heard yet waits. Returns whether it was interrupted. */
    interrupt(): boolean {
      if (current === null) return false;
      if (current.response.isAudible()) {
        cancel('turn_detected');
        return true;
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
        cut.onCut(cut.response.heardWords(playedMs));
        cut = null;
      }
    },
  };
}
