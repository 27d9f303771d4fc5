import type { Clock } from '../../clock.ts';
import type { CancelReason, ResponseDone, ServerEvent } from '../events/listen-events.ts';
import type { AnswerSink } from '../utterance/speculative-turn.ts';
import {
  type AnswerSound,
  createPastAnswers,
  type NewAnswer,
  playedOf,
  type SpokenAnswer,
  shortOf,
  soundOf,
} from './answer.ts';
import { createAnswerRelay } from './answer-relay.ts';
import type { RecentSentences } from './echo.ts';
import { createInterruptedAnswer } from './interrupted-answer.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker, SpeechSegment } from './playback.ts';
import { createResponse, type ResponseOptions } from './response.ts';
import { createResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';

/** Speech that begins this soon after a question answers it. */
const maxAskedMs = 12_000;
/** Maximum number of times an interrupted answer resumes. Its own echo may interrupt it. */
const maxContinued = 5;

export interface CurrentResponseOptions extends Pick<ResponseOptions, 'onUsage'> {
  clock: Clock;
  newTurnId: () => string;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: RecentSentences;
  /** How loud responses are played. `rings`: for a ringing timer. */
  loudness: (rings: boolean) => Loudness;
  /** The satellite's room or other location, as a key. */
  place: () => string;
  aheadMs: number;
  /** Called at the end of an answer to a request, if any of it was audible. */
  onAudible: () => void;
  /** Called when an answer to a request is done. Someone is nearby then. */
  onAnswered: (done: ResponseDone) => void;
}

export type CurrentResponse = ReturnType<typeof createCurrentResponse>;

/** Holds the current response of a connection. A new response cancels the previous one. */
export function createCurrentResponse(options: CurrentResponseOptions) {
  const { clock, newTurnId, saying, place } = options;
  let current: SpokenAnswer | null = null;
  const past = createPastAnswers();
  const interrupted = createInterruptedAnswer({
    clock,
    newTurnId,
    onEnd: (answer) => past.add(answer, true),
  });
  const latest = createLatestAnswer(options);

  const ended = (done: ResponseDone): void => {
    if (current?.response.turnId !== done.turn_id) return;
    const { onCut, onDone } = current;
    latest.ended(current);
    if (!interrupted.holds(current)) current.onPlayed?.(playedOf(current, done));
    const shortened = done.status === 'completed' ? shortOf(current) : null;
    if (done.status === 'failed' || shortened !== null) onCut(shortened ?? undefined);
    if (done.status === 'completed') past.add(current, shortened !== null);
    saying.stop(place(), clock.nowMs());
    // The conversation keeps nothing of a failed answer, whatever is reported later.
    if (done.status === 'failed') past.add({ ...current, onCut: () => undefined }, true);
    current = null;
    onDone(done);
  };

  /** `kept`: what the conversation keeps instead of the played words. */
  const cancel = (reason: CancelReason, kept?: string): void => {
    if (current === null) return;
    const { response, onCut } = current;
    const wasGiven = response.isGiven();
    const shortened = kept ?? shortOf(current);
    if (response.isAudible()) past.add(current, true);
    const playedText = response.cancel(reason);
    onCut(wasGiven ? (shortened ?? playedText) : kept);
  };

  const begin = (answer: BegunAnswer, begun: readonly SpeechSegment[] = []): void => {
    cancel('turn_detected');
    const started = respondWith(answer, options, ended);
    current = started;
    for (const each of begun) started.response.sink.speak({ seq: 0, ...each });
    started.relay.handTo(started.response.sink);
  };

  return {
    begin: (answer: NewAnswer): void =>
      begin({ ...requestedResponse(), ...answer, onDone: options.onAnswered }),
    /** Begins a response without a request, such as a ringing timer. */
    announce(turnId: string, onDone: (done: ResponseDone) => void, { rings = false } = {}): void {
      interrupted.end();
      begin({ ...ownResponse(clock), turnId, onDone, rings });
    },
    /** Returns the receiver of a turn's answer. Null if the answer is no longer wanted. */
    sinkOf: (turnId: string): AnswerSink | null =>
      current?.response.turnId === turnId ? current.relay.sink : null,
    /** Cancels the current response. With a turn id, only if it belongs to that turn. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || interrupted.isOf(turnId)) interrupted.end();
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /**
     * Someone speaks: silences an audible response and holds a silent one. Returns whether an answer was
     * interrupted. `release` continues it.
     */
    interrupt(): boolean {
      if (current === null) return interrupted.isHeld();
      const { response, isAsked } = current;
      if (!response.isAudible()) {
        response.hold();
        return interrupted.isHeld();
      }
      if (isAsked && current.continued < maxContinued) interrupted.suspend(current);
      else cancel('turn_detected');
      return isAsked;
    },
    /** The speech was not a request: a held response resumes, and an interrupted answer continues. */
    release(): void {
      const next = current === null ? interrupted.resume() : null;
      if (next !== null) begin(next.answer, next.rest);
      else current?.response.release();
    },
    /**
     * The speech is a request, so an interrupted answer does not resume. Returns whether one existed. A turn
     * that began earlier has read all of its words.
     */
    endInterrupted: interrupted.end,
    /** Withdraws an answer, even if it was played. The conversation keeps nothing of it. */
    withdraw(turnId: string): void {
      if (interrupted.isOf(turnId)) interrupted.withdraw();
      else if (current?.response.turnId === turnId) cancel('revised', '');
      else past.withdraw(turnId);
      past.settle(turnId);
    },
    /** The interrupted answer, as far as it is known. Null: none was interrupted lately. */
    interruptedText: interrupted.text,
    isPending: () => current !== null,
    /** The current response answers a request. */
    isAsked: () => current?.isAsked ?? false,
    isPlaying: () => current?.response.isPlaying() ?? false,
    /** Whether the last answer was a question that the person may answer now. */
    hasAsked: latest.hasAsked,
    /** How long ago the latest answer to a request became audible. Null: none did. */
    audibleAgoMs: (): number | null => latest.audibleAgoMs(current),
    /** How long the current response has been audible. 0 if it is not. */
    audibleForMs: (): number => (current?.response.isPlaying() ? (audibleMs(current, clock) ?? 0) : 0),
    /** Audio duration of a turn's answer. Null: not one of the latest answers. */
    soundOf(turnId: string): AnswerSound | null {
      const isCurrent = current?.response.turnId === turnId;
      const answer = isCurrent ? current : (interrupted.find(turnId) ?? past.find(turnId));
      return answer ? soundOf(answer) : null;
    },
    /**
     * The satellite reports how much of a turn's sound it has played. Less than all means that it dropped the
     * rest, even for a finished answer.
     */
    playbackFinished(turnId: string, playedMs: number): void {
      if (current?.response.turnId === turnId) {
        current.playedMs = playedMs;
        current.response.playbackFinished();
      } else if (interrupted.isOf(turnId)) interrupted.played(playedMs);
      else past.played(turnId, playedMs);
    },
  };
}

type BegunAnswer = Omit<SpokenAnswer, 'response' | 'times' | 'playedMs'> &
  Omit<NewAnswer, 'onCut' | 'onPlayed'>;

/** The fields of a response to a request. */
function requestedResponse() {
  return { isAsked: true, rings: false, continued: 0, relay: createAnswerRelay() };
}

/** The fields of a response without a request. */
function ownResponse(clock: Clock) {
  return {
    isAsked: false,
    continued: 0,
    relay: createAnswerRelay(),
    fillerAfterMs: null,
    speechEndMs: clock.nowMs(),
    endSilenceMs: 0,
    onCut: () => undefined,
  };
}

/** How long an answer has been audible. Null: it is not audible yet. */
function audibleMs({ times }: SpokenAnswer, clock: Clock): number | null {
  const { firstSoundAt } = times.moments();
  return firstSoundAt === null ? null : clock.nowMs() - firstSoundAt;
}

/** Creates the response that plays an answer. */
function respondWith(
  answer: BegunAnswer,
  options: CurrentResponseOptions,
  onDone: (done: ResponseDone) => void,
): SpokenAnswer {
  const { clock, send, loudspeaker, voice, saying, place, aheadMs, onUsage } = options;
  const { turnId, fillerAfterMs, rings } = answer;
  const times = createResponseTimes({ clock, ...answer });
  const response = createResponse({
    turnId,
    clock,
    send,
    loudspeaker,
    voice,
    aheadMs,
    fillerAfterMs,
    loudness: options.loudness(rings),
    times,
    onWords: ({ text, fromMs, lengthMs }) =>
      saying.add(place(), { text, fromMs, untilMs: fromMs + lengthMs }),
    onDone,
    onUsage,
  });
  return { ...answer, response, times, playedMs: null };
}

/** Remembers the latest answer to a request, because the next utterance may refer to it. */
function createLatestAnswer({ clock, onAudible }: Pick<CurrentResponseOptions, 'clock' | 'onAudible'>) {
  /** When it ended, if it ended with a question. */
  let askedAtMs: number | null = null;
  /** When it became audible, unless it is the current one. */
  let beganAtMs: number | null = null;
  return {
    ended({ relay, isAsked, times, continued }: SpokenAnswer): void {
      if (!isAsked) return;
      askedAtMs = relay.text().trimEnd().endsWith('?') ? clock.nowMs() : null;
      if (continued > 0) return;
      beganAtMs = times.moments().firstSoundAt;
      if (beganAtMs !== null) onAudible();
    },
    hasAsked: (): boolean => askedAtMs !== null && clock.nowMs() - askedAtMs <= maxAskedMs,
    audibleAgoMs(current: SpokenAnswer | null): number | null {
      const agoMs = current?.isAsked ? audibleMs(current, clock) : null;
      return agoMs ?? (beganAtMs === null ? null : clock.nowMs() - beganAtMs);
    },
  };
}
