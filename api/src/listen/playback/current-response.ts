import type { Clock } from '../../clock.ts';
import type { Played } from '../../turn-client/chain.ts';
import type { CancelReason, ResponseDone, ServerEvent } from '../events/listen-events.ts';
import type { AnswerSink } from '../utterance/speculative-turn.ts';
import { createAnswerRelay } from './answer-relay.ts';
import type { Saying } from './echo.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker, Utterable } from './playback.ts';
import { createResponse, type Response, type ResponseOptions } from './response.ts';
import { createResponseTimes, type ResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';

/** Finished answers for which a satellite may still report how much it played. */
const maxPast = 4;
/** How long an interrupted answer can continue. After longer speech, people no longer expect it. */
const maxInterruptedMs = 5_000;
/** Speech that begins this soon after a question answers it. */
const maxAskedMs = 12_000;
/** How often an answer continues at most, because its own echo may interrupt it. */
const maxContinued = 5;

interface CurrentResponseOptions extends Pick<ResponseOptions, 'onUsage'> {
  clock: Clock;
  newTurnId: () => string;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  saying: Saying;
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

interface Answer extends Pick<NewAnswer, 'onCut' | 'onPlayed'> {
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

/** An answer that speech has interrupted. It continues if the speech was no request. */
interface Interrupted {
  answer: Answer;
  rest: (playedMs?: number) => readonly Utterable[];
  /** The length that the satellite has reported. Undefined: use the clock. */
  playedMs: number | undefined;
  playedText: string;
  played: Played;
  callOffEnd: () => void;
}

export type CurrentResponse = ReturnType<typeof createCurrentResponse>;

/** Holds the current response of a connection. A new response cancels the previous one. */
export function createCurrentResponse(options: CurrentResponseOptions) {
  const { clock, saying, place } = options;
  let current: Answer | null = null;
  let past: (Answer & { isCut: boolean })[] = [];
  let interrupted: Interrupted | null = null;
  /** When the last answer ended, if it ended with a question. */
  let askedAtMs: number | null = null;
  /** When the previous answer began to sound. */
  let beganAtMs: number | null = null;

  const keepPast = (answer: Answer, isCut: boolean): void => {
    past = [...past, { ...answer, isCut }].slice(-maxPast);
  };
  /** The played words, if the satellite reported less than the whole answer. Null: it has not. */
  const shortOf = ({ response, playedMs }: Answer): string | null =>
    playedMs === null || response.isWhole(playedMs) ? null : response.playedText(playedMs);

  const playedOf = (
    { times }: Answer,
    { status, reason }: Pick<ResponseDone, 'status' | 'reason'>,
  ): Played => ({
    ...times.moments(),
    status,
    reason,
  });

  /** Remembers the answer that the next utterance may refer to. */
  const noteAnswer = ({ relay, isAsked, times, continued }: Answer): void => {
    if (!isAsked) return;
    askedAtMs = relay.text().trimEnd().endsWith('?') ? clock.nowMs() : null;
    if (continued > 0) return;
    beganAtMs = times.moments().firstSoundAt;
    if (beganAtMs !== null) options.onAudible();
  };

  const ended = (done: ResponseDone): void => {
    if (current?.response.turnId !== done.turn_id) return;
    const { onCut, onDone } = current;
    noteAnswer(current);
    if (interrupted?.answer !== current) current.onPlayed?.(playedOf(current, done));
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

  /**
   * Ends the interrupted answer for good. The conversation keeps the words that were played. False: none was
   * interrupted.
   */
  const endInterrupted = (): boolean => {
    if (interrupted === null) return false;
    const { answer, played, playedText, callOffEnd } = interrupted;
    interrupted = null;
    callOffEnd();
    answer.onPlayed?.(played);
    keepPast(answer, true);
    answer.onCut(playedText);
    return true;
  };

  /** Silences the audible answer, but keeps its turn and the rest of its sound. */
  const suspend = (answer: Answer): void => {
    const { response, relay, playedMs } = answer;
    relay.hold();
    const heard = shortOf(answer);
    interrupted = {
      answer,
      rest: response.rest(),
      playedMs: playedMs ?? undefined,
      playedText: heard ?? response.playedText(),
      played: playedOf(answer, { status: 'cancelled', reason: 'turn_detected' }),
      callOffEnd: clock.after(maxInterruptedMs, endInterrupted),
    };
    response.cancel('turn_detected');
  };

  const begin = (
    answer: Omit<Answer, 'response' | 'times' | 'playedMs'> & Omit<NewAnswer, 'onCut' | 'onPlayed'>,
    begun: readonly Utterable[] = [],
  ): void => {
    cancel('turn_detected');
    const { turnId, fillerAfterMs, rings, relay } = answer;
    const times = createResponseTimes({ clock, ...answer });
    const response = createResponse({
      ...options,
      turnId,
      fillerAfterMs,
      loudness: options.loudness(rings),
      times,
      onWords: ({ text, fromMs, lengthMs }) =>
        saying.add(place(), { text, fromMs, untilMs: fromMs + lengthMs }),
      onDone: ended,
    });
    current = { ...answer, response, times, playedMs: null };
    for (const each of begun) response.taker.speak({ seq: 0, ...each });
    relay.handTo(response.taker);
  };

  /** Continues the interrupted answer as a new response. */
  const resume = (): void => {
    if (interrupted === null || current !== null) return;
    const { answer, rest, playedMs, playedText, played, callOffEnd } = interrupted;
    interrupted = null;
    callOffEnd();
    begin(
      {
        ...answer,
        continued: answer.continued + 1,
        turnId: options.newTurnId(),
        speechEndMs: clock.nowMs(),
        endSilenceMs: 0,
        fillerAfterMs: null,
        onCut: (text = '') => answer.onCut([playedText, text].filter((each) => each !== '').join(' ')),
        onPlayed: ({ overAt, status, reason }) => answer.onPlayed?.({ ...played, overAt, status, reason }),
      },
      rest(playedMs),
    );
  };

  return {
    begin: (asked: NewAnswer): void =>
      begin({
        ...asked,
        onDone: options.onAnswered,
        isAsked: true,
        rings: false,
        continued: 0,
        relay: createAnswerRelay(),
      }),
    /** Begins a response without a request, such as a ringing timer. */
    announce(turnId: string, onDone: (done: ResponseDone) => void, { rings = false } = {}): void {
      endInterrupted();
      begin({
        turnId,
        onDone,
        isAsked: false,
        rings,
        continued: 0,
        relay: createAnswerRelay(),
        fillerAfterMs: null,
        speechEndMs: clock.nowMs(),
        endSilenceMs: 0,
        onCut: () => undefined,
      });
    },
    /** Returns the receiver of a turn's answer. Null if the answer is no longer wanted. */
    takerOf: (turnId: string): AnswerSink | null =>
      current?.response.turnId === turnId ? current.relay.sink : null,
    /** Cancels the current response. With a turn id, only if it belongs to that turn. */
    cancel(reason: CancelReason, turnId?: string): void {
      if (turnId === undefined || interrupted?.answer.response.turnId === turnId) endInterrupted();
      if (turnId === undefined || current?.response.turnId === turnId) cancel(reason);
    },
    /**
     * Someone speaks: silences an audible response and holds a silent one. Returns whether an answer was
     * interrupted. `release` continues it.
     */
    interrupt(): boolean {
      if (current === null) return interrupted !== null;
      const { response, isAsked } = current;
      if (!response.isAudible()) {
        response.hold();
        return interrupted !== null;
      }
      if (isAsked && current.continued < maxContinued) suspend(current);
      else cancel('turn_detected');
      return isAsked;
    },
    /** The speech was no request: a held response resumes, and an interrupted answer continues. */
    release(): void {
      if (current === null) resume();
      else current.response.release();
    },
    /**
     * The speech is a request, so an interrupted answer does not continue. Returns whether there was one: a
     * turn that began before has read the conversation with all of its words.
     */
    endInterrupted,
    /** Withdraws an answer, even if it was played. The conversation keeps nothing of it. */
    takeBack(turnId: string): void {
      if (interrupted?.answer.response.turnId === turnId) {
        interrupted.playedText = '';
        endInterrupted();
      } else if (current?.response.turnId === turnId) {
        const { onCut } = current;
        cancel('revised');
        onCut('');
      } else past.find(({ response }) => response.turnId === turnId)?.onCut('');
      past = past.filter(({ response }) => response.turnId !== turnId);
    },
    /** The interrupted answer, as far as it is known. Null: none was interrupted lately. */
    interruptedText: (): string | null => interrupted?.answer.relay.text() ?? null,
    isPending: () => current !== null,
    /** The current response answers a request. */
    isAsked: () => current?.isAsked ?? false,
    isPlaying: () => current?.response.isPlaying() ?? false,
    /** Whether the last answer was a question that the person may answer now. */
    hasAsked: (): boolean => askedAtMs !== null && clock.nowMs() - askedAtMs <= maxAskedMs,
    /** How long ago the latest answer to a request began to sound. Null: none did. */
    audibleAgoMs(): number | null {
      const atMs = (current?.isAsked ? current.times.moments().firstSoundAt : null) ?? beganAtMs;
      return atMs === null ? null : clock.nowMs() - atMs;
    },
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
      if (interrupted?.answer.response.turnId === turnId) {
        interrupted.playedMs = playedMs;
        interrupted.playedText = interrupted.answer.response.playedText(playedMs);
        return;
      }
      const over = past.find(({ response }) => response.turnId === turnId);
      if (!over || (!over.isCut && over.response.isWhole(playedMs))) return;
      over.isCut = true;
      over.onCut(over.response.playedText(playedMs));
    },
  };
}
