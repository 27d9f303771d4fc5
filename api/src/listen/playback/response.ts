import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Speech } from '../../turn/playout.ts';
import type { Reply } from '../../turn/turn.ts';
import type { CancelReason, ResponseDone, ServerEvent } from '../events/listen-events.ts';
import type { AnswerSink } from '../utterance/speculative-turn.ts';
import { createMachine, type Transitions } from '../utterance/states.ts';
import { createFiller } from './filler.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponseSound } from './response-sound.ts';
import type { ResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';

/** Last resort for a turn client that never reports a timeout. The turn client's own timeout is shorter. */
const maxAnswerMs = 65_000;
/** Maximum length of a reply. A longer one is cut off. */
const maxReplyMs = 300_000;

type State = 'waiting' | 'speaking' | 'ending' | 'done';

/** `waiting`: nothing to say yet. `ending`: the whole reply is known, and the rest is being played. */
const moves: Transitions<State> = {
  waiting: ['speaking', 'ending', 'done'],
  speaking: ['ending', 'done'],
  ending: ['done'],
  done: [],
};

export interface ResponseOptions {
  turnId: string;
  clock: Clock;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  voice: OwnVoice;
  aheadMs: number;
  /** If the answer takes longer, the assistant says that it is still working. Null: it never does. */
  fillerAfterMs: number | null;
  times: ResponseTimes;
  loudness: Loudness;
  /** Called for words that start playing at `fromMs`. */
  onWords: (words: { text: string; fromMs: number; lengthMs: number }) => void;
  onDone: (done: ResponseDone) => void;
  /**
   * Called with the token usage once the reply is complete, while its sound may still be playing. Null: no
   * model was used.
   */
  onUsage?: ((turnId: string, usage: Reply['usage']) => void) | undefined;
}

export type Response = ReturnType<typeof createResponse>;

/** One answer, from `response.created` to `response.done`. It is done exactly once, and no sound follows. */
export function createResponse(options: ResponseOptions) {
  const { turnId, clock, send, loudspeaker, voice, aheadMs, times, loudness, onWords, onDone } = options;
  const machine = createMachine(moves, 'waiting');
  let outcome: Pick<ResponseDone, 'status' | 'reason'> = { status: 'completed', reason: null };
  let via: string | null = null;
  let isReasonOnItsWay = false;
  let wasSpeechless = false;

  const {
    playback,
    add: play,
    stop: stopSound,
  } = createResponseSound({
    turnId,
    clock,
    send,
    loudspeaker,
    loudness,
    aheadMs,
    onBegin: times.firstSound,
    onWords,
    isComplete: () => machine.state === 'ending' && !isReasonOnItsWay,
    onPlayed: () => finish(outcome, playback.words),
  });

  const finish = ({ status, reason }: Pick<ResponseDone, 'status' | 'reason'>, reply: string): void => {
    if (!machine.move('done')) return;
    for (const stop of [filler.cancelTimeout, cancelLimit, stopSound]) stop();
    const done: ResponseDone = {
      type: 'response.done',
      turn_id: turnId,
      status,
      reason,
      via,
      reply,
      timings: times.all(),
    };
    send(done);
    onDone(done);
  };

  const fail = (error: AppError): void => {
    if (!machine.move('ending')) return;
    outcome = { status: 'failed', reason: error.code };
    isReasonOnItsWay = true;
    send({ type: 'error', turn_id: turnId, event: null, event_id: null, ...error.toBody() });
    void voice.reason(error.code).then((reason) => {
      isReasonOnItsWay = false;
      play(reason);
    });
  };

  const complete = (reply: Reply): void => {
    via = reply.via;
    times.tell(reply.timings);
    options.onUsage?.(turnId, reply.usage);
    if (wasSpeechless) fail(new AppError('tts_unavailable'));
    else if (machine.move('ending')) playback.drain();
  };

  const speak = ({ text, sound }: Speech): void => {
    machine.move('speaking');
    if (machine.state !== 'speaking') return;
    wasSpeechless ||= sound === null && text !== '';
    if (playback.waitingMs() > maxReplyMs) fail(new AppError('turn_timeout'));
    else play({ text, sound });
  };

  send({ type: 'response.created', turn_id: turnId });
  const filler = createFiller({
    turnId,
    clock,
    voice,
    afterMs: options.fillerAfterMs,
    isWanted: () => machine.state === 'waiting',
    play,
  });
  const cancelLimit = clock.after(maxAnswerMs, () => fail(new AppError('turn_timeout')));

  return {
    turnId,
    /** Receives the answer from the turn client. */
    sink: { speak, complete, fail } satisfies AnswerSink,
    /** Whether any sound has been sent. */
    isAudible: () => playback.hasBegun,
    /** Whether any sound or words have been sent. A silent answer has only words. */
    isGiven: () => playback.hasBegun || playback.words !== '',
    /** Whether it is playing now. */
    isPlaying: () => machine.state !== 'done' && playback.leftMs() > 0,
    /** Cancels it at once. Returns the words that were played. */
    cancel(reason: CancelReason): string {
      const playedText = playback.playedText();
      finish({ status: 'cancelled', reason }, playedText);
      return playedText;
    },
    /** The rest of the sound. */
    rest: playback.rest,
    /** The words that were played, if the satellite has played this much of the sound. */
    playedText: playback.playedText,
    /** How much sound was sent. */
    soundMs: (): number => playback.sentMs,
    /** Begins no sound while the person speaks. */
    hold(): void {
      filler.hold();
      playback.hold();
    },
    release(): void {
      playback.release();
      filler.release();
    },
    /** The satellite reports that it has played everything. */
    playbackFinished(): void {
      if (machine.state === 'ending' && playback.isDrained()) finish(outcome, playback.words);
    },
  };
}
