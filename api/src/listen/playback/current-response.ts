import type { Clock } from '../../clock.ts';
import type { Played } from '../../turn-client/chain.ts';
import type { CancelReason, ResponseDone, ServerEvent } from '../events/listen-events.ts';
import type { AnswerSink } from '../utterance/speculative-turn.ts';
import type { Saying } from './echo.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponse, type Response, type ResponseOptions } from './response.ts';
import { createResponseTimes, type ResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';

/** Finished answers for which a satellite may still report how much it played. */
const maxPast = 4;

interface CurrentResponseOptions extends Pick<ResponseOptions, 'onUsage'> {
  clock: Clock;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: Saying;
  /** How loud responses are played. `rings`: for a ringing timer. */
  loudness: (rings: boolean) => Loudness;
  /** The satellite's room or other location, as a key. */
  place: () => string;
  aheadMs: number;
  /** Called when an answer to a request is done, so someone is nearby. */
  onAnswered: (done: ResponseDone) => void;
}

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

interface Answer {
  response: Response;
  times: ResponseTimes;
  onCut: NewAnswer['onCut'];
  onDone: (done: ResponseDone) => void;
  /** The response answers a request. */
  isAsked: boolean;
  /** A timer is ringing, which a muted loudspeaker plays, too. */
  rings: boolean;
  /** How much the satellite has reported as played; null: nothing yet. */
  playedMs: number | null;
}

export type CurrentResponse = ReturnType<typeof createCurrentResponse>;

/** Holds the current response of a connection. A new response cancels the previous one. */
export function createCurrentResponse(options: CurrentResponseOptions) {
  const { clock, saying, place } = options;
  let current: Answer | null = null;
  let past: (Answer & { isCut: boolean })[] = [];

  const keepPast = (answer: Answer, isCut: boolean): void => {
    past = [...past, { ...answer, isCut }].slice(-maxPast);
  };
  /** The words that were heard, if the satellite played less than all. Null: it has not reported that. */
  const shortOf = ({ response, playedMs }: Answer): string | null =>
    playedMs === null || response.isWhole(playedMs) ? null : response.playedText(playedMs);

  const ended = (done: ResponseDone): void => {
    if (current?.response.turnId !== done.turn_id) return;
    const { onCut, onDone } = current;
    if (done.status === 'failed') onCut();
    if (done.status === 'completed') {
      const heard = shortOf(current);
      if (heard !== null) onCut(heard);
      keepPast(current, heard !== null);
    }
    if (done.status !== 'completed') saying.stop(place(), clock.nowMs());
    current = null;
    onDone(done);
  };

  const cancel = (reason: CancelReason): void => {
    if (current === null) return;
    const { response, onCut } = current;
    const wasAudible = response.isAudible();
    const heard = shortOf(current);
    if (wasAudible) keepPast(current, true);
    const playedText = response.cancel(reason);
    onCut(wasAudible ? (heard ?? playedText) : undefined);
  };

  const begin = (
    answer: Omit<Answer, 'response' | 'times' | 'playedMs'> & Omit<NewAnswer, 'onCut'>,
  ): void => {
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
    current = { ...answer, response, times, playedMs: null };
  };

  return {
    begin: (asked: NewAnswer): void =>
      begin({ ...asked, onDone: options.onAnswered, isAsked: true, rings: false }),
    /** Begins a response without a request, such as a ringing timer. */
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
    /** Returns the receiver of a turn's answer. Null if the answer is no longer wanted. */
    takerOf: (turnId: string): AnswerSink | null =>
      current?.response.turnId === turnId ? current.response.taker : null,
    /** Cancels the current response. With a turn id, only if it belongs to that turn. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /**
     * Someone speaks: cancels an audible response and holds a silent one. Returns whether an answer was
     * interrupted.
     */
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
    /** The person has stopped speaking: resumes a held response. */
    release: () => current?.response.release(),
    isPending: () => current !== null,
    /** The current response answers a request. */
    isAsked: () => current?.isAsked ?? false,
    isPlaying: () => current?.response.isPlaying() ?? false,
    /** How long the current response has been audible. 0 if it is not. */
    heardMs(): number {
      const firstSoundAt = current?.response.isPlaying() ? current.times.moments().firstSoundAt : null;
      return firstSoundAt === null ? 0 : clock.nowMs() - firstSoundAt;
    },
    /**
     * The satellite reports how much of a turn's sound it has played. Less than all means that it dropped the
     * rest, even for a finished answer.
     */
    playbackFinished(turnId: string, playedMs: number): void {
      if (current?.response.turnId === turnId) {
        current.playedMs = playedMs;
        current.response.playbackFinished();
        return;
      }
      const over = past.find(({ response }) => response.turnId === turnId);
      if (!over || (!over.isCut && over.response.isWhole(playedMs))) return;
      over.isCut = true;
      over.onCut(over.response.playedText(playedMs));
    },
  };
}
