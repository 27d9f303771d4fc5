import { AppError } from '../errors.ts';
import type { Speech } from '../turn/playout.ts';
import type { Reply } from '../turn/turn.ts';
import type { Clock } from './clock.ts';
import { createFiller } from './filler.ts';
import type { CancelReason, ResponseDone, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createResponseSound } from './response-sound.ts';
import type { ResponseTimes } from './response-times.ts';
import type { Loudness } from './session-speaker.ts';
import type { Taker } from './speculative-turn.ts';
import { createMachine, type Moves } from './states.ts';

/** Nobody waits longer. The chain gives up earlier; this is for a chain that does not even say so. */
const maxAnswerMs = 65_000;
/** A longer reply is cut off. */
const maxReplyMs = 300_000;

type State = 'waiting' | 'speaking' | 'ending' | 'done';

/** `waiting`: there is nothing to say yet. `ending`: the whole reply is known, and the rest of it is being said. */
const moves: Moves<State> = {
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
  /** If the answer takes longer, the assistant says that it is still at it; null: it never does. */
  fillerAfterMs: number | null;
  times: ResponseTimes;
  loudness: Loudness;
  /** Words that are heard from `fromMs` on. */
  onWords: (words: { text: string; fromMs: number; lengthMs: number }) => void;
  onDone: (done: ResponseDone) => void;
  /** All of the reply is known, and not yet all of its sound has been sent: what the model has read and written for it; null: it took no part. */
  onUsage?: (turnId: string, usage: Reply['usage']) => void;
}

export type Response = ReturnType<typeof createResponse>;

/** One answer, from its announcement to its end. However it ends, it ends once, and no sound of it comes after. */
export function createResponse(options: ResponseOptions) {
  const { turnId, clock, send, voice, times, onDone } = options;
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
    ...options,
    onBegin: times.firstSound,
    isComplete: () => machine.state === 'ending' && !isReasonOnItsWay,
    onHeard: () => finish(outcome, playback.words),
  });

  const finish = ({ status, reason }: Pick<ResponseDone, 'status' | 'reason'>, reply: string): void => {
    if (!machine.move('done')) return;
    for (const stop of [filler.callOff, callOffLimit, stopSound]) stop();
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
    ...options,
    afterMs: options.fillerAfterMs,
    isWanted: () => machine.state === 'waiting',
    play,
  });
  const callOffLimit = clock.after(maxAnswerMs, () => fail(new AppError('turn_timeout')));

  return {
    turnId,
    /** Takes the answer from the one who makes it. */
    taker: { speak, complete, fail } satisfies Taker,
    /** Whether something of it has been sent to be heard. */
    isAudible: () => playback.hasBegun,
    /** Whether it is being heard now. */
    isPlaying: () => machine.state !== 'done' && playback.leftMs() > 0,
    /** Ends it at once. Returns the words that were heard of it. */
    cancel(reason: CancelReason): string {
      const playedText = playback.playedText();
      finish({ status: 'cancelled', reason }, playedText);
      return playedText;
    },
    /** The words that were heard of it, if the satellite has played this much of its sound. */
    playedText: playback.playedText,
    /** Begins no sound while the person speaks. */
    hold(): void {
      filler.hold();
      playback.hold();
    },
    release(): void {
      playback.release();
      filler.release();
    },
    /** The satellite has played everything. */
    playbackFinished(): void {
      if (machine.state === 'ending' && playback.isDrained()) finish(outcome, playback.words);
    },
  };
}
