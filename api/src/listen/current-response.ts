import type { Played } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';
import type { Saying } from './echo.ts';
import type { CancelReason, ResponseDone, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponse, type Response, type ResponseOptions } from './response.ts';
import { createResponseTimes, type ResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';
import type { Taker } from './speculative-turn.ts';

/** A satellite may take this long to tell how much of a cut answer it had played. */
const lateWordMs = 5_000;

interface CurrentResponseOptions extends Pick<ResponseOptions, 'onUsage'> {
  clock: Clock;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: Saying;
  /** How responses are heard. */
  loudness: (rings: boolean) => Loudness;
  /** Where the satellite stands. */
  place: () => string;
  aheadMs: number;
  /** An answer that somebody asked for is over. So somebody is there. */
  onAnswered: (done: ResponseDone) => void;
}

export interface NewAnswer {
  turnId: string;
  /** When the person fell silent, by the clock, and how much silence it took to be certain. */
  speechEndMs: number;
  endSilenceMs: number;
  /** If the answer takes longer, the assistant says that it is still at it; null: it never does. */
  fillerAfterMs: number | null;
  /** Ends the work on it. The conversation keeps the part of the reply that was heard; undefined: not even the question. */
  onCut: (playedText?: string) => void;
  /** It has been heard, as far as there was anything to hear. */
  onPlayed?: (played: Played) => void;
}

interface Answer {
  response: Response;
  times: ResponseTimes;
  onCut: NewAnswer['onCut'];
  onDone: (done: ResponseDone) => void;
  /** Somebody has asked for it. */
  isAsked: boolean;
  /** A timer rings: it is heard on a loudspeaker that is muted, too. */
  rings: boolean;
}

export type CurrentResponse = ReturnType<typeof createCurrentResponse>;

/** The response of one connection, of which there is one at a time: a new one ends the one before. */
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

  const begin = (answer: Omit<Answer, 'response' | 'times'> & Omit<NewAnswer, 'onCut'>): void => {
    cancel('turn_detected');
    const { turnId, fillerAfterMs, rings } = answer;
    const times = createResponseTimes({ clock, ...answer });
    const response = createResponse({
      ...options,
      turnId,
      fillerAfterMs,
      loudness: options.loudness(rings),
      times,
      onWords: ({ text, fromMs, lengthMs }) =>
        saying.add(place(), { text, fromMs, untilMs: fromMs + lengthMs }),
      onDone: (done) => {
        answer.onPlayed?.({ ...times.moments(), status: done.status, reason: done.reason });
        ended(done);
      },
    });
    current = { ...answer, response, times };
  };

  return {
    begin: (asked: NewAnswer): void =>
      begin({ ...asked, onDone: options.onAnswered, isAsked: true, rings: false }),
    /** The assistant speaks of its own accord: a timer rings. */
    announce: (turnId: string, onDone: (done: ResponseDone) => void, { rings = false } = {}): void =>
      begin({
        turnId,
        onDone,
        isAsked: false,
        rings,
        fillerAfterMs: null,
        speechEndMs: clock.nowMs(),
        endSilenceMs: 0,
        onCut: () => undefined,
      }),
    /** Takes the answer of a turn; null: it is not wanted any more. */
    takerOf: (turnId: string): Taker | null =>
      current?.response.turnId === turnId ? current.response.taker : null,
    /** Ends the answer. With a turn given, ends only that turn's. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /** Someone speaks. Speech that is being heard ends; speech that is not heard yet waits. Returns whether an answer was interrupted. */
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
    /** The person has stopped speaking. */
    release: () => current?.response.release(),
    isPending: () => current !== null,
    /** It is the answer to somebody, and not a word of our own accord. */
    isAsked: () => current?.isAsked ?? false,
    isPlaying: () => current?.response.isPlaying() ?? false,
    /** How long it has been heard; 0: it is not heard now. */
    heardMs(): number {
      const firstSoundAt = current?.response.isPlaying() ? current.times.moments().firstSoundAt : null;
      return firstSoundAt === null ? 0 : clock.nowMs() - firstSoundAt;
    },
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
