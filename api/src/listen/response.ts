import { AppError } from '../errors.ts';
import type { Speech } from '../turn/playout.ts';
import type { Reply } from '../turn/turn.ts';
import type { Clock } from './clock.ts';
import { audioFormat, type CancelReason, type ResponseDone, type ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import { createPlayback, type Loudspeaker } from './playback.ts';
import type { ResponseTimes } from './response-times.ts';
import type { Taker } from './speculative-turn.ts';
import { createMachine, type Moves } from './states.ts';

/** The chain gives up before; if it does not even say that, nobody waits longer. */
const mostAnswerMs = 65_000;
/** No reply is longer. */
const mostReplyMs = 300_000;

type State = 'waiting' | 'speaking' | 'ending' | 'done';

/** `waiting`: there is nothing to say yet. `ending`: all is known, and what is left of it is said. */
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
  /** Something is said when the answer takes longer; null: nothing is. */
  fillerAfterMs: number | null;
  times: ResponseTimes;
  /** Words that are heard from now on, for so long. */
  onWords: (words: { text: string; fromMs: number; lengthMs: number }) => void;
  onDone: (done: ResponseDone) => void;
}

export type Response = ReturnType<typeof createResponse>;

/** One answer, from its announcement to its end. However it ends, it ends once, and no sound of it comes after. */
export function createResponse(options: ResponseOptions) {
  const { turnId, clock, send, voice, fillerAfterMs, times, onDone } = options;
  const machine = createMachine(moves, 'waiting');
  let outcome: Pick<ResponseDone, 'status' | 'reason'> = { status: 'completed', reason: null };
  let via: string | null = null;
  let isReasonOnItsWay = false;
  let wasSpeechless = false;
  let hasFilled = false;
  let isHeld = false;
  let callOffEnd = (): void => undefined;

  const playback = createPlayback({
    ...options,
    onBegin: () => {
      times.firstSound();
      send({ type: 'response.output_audio.started', turn_id: turnId, format: audioFormat });
    },
    onWords: (words) => {
      const delta = playback.words === words.text ? words.text : ` ${words.text}`;
      send({ type: 'response.output_audio_transcript.delta', turn_id: turnId, delta });
      options.onWords(words);
    },
    onDrained: () => {
      if (machine.state === 'ending' && !isReasonOnItsWay) soundEnds();
    },
  });

  /** All is sent; the response is over when it has been heard. */
  const soundEnds = (): void => {
    endSound();
    callOffEnd();
    callOffEnd = clock.after(playback.leftMs(), () => finish(outcome, playback.words));
  };
  const endSound = once(() => {
    if (!playback.hasBegun) return;
    const audio_duration_ms = Math.round(playback.sentMs);
    send({ type: 'response.output_audio.done', turn_id: turnId, audio_duration_ms });
  });

  const finish = ({ status, reason }: Pick<ResponseDone, 'status' | 'reason'>, reply: string): void => {
    if (!machine.move('done')) return;
    for (const stop of [callOffEnd, callOffFiller, callOffLimit, playback.stop]) stop();
    endSound();
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

  const fill = (): void => {
    if (machine.state !== 'waiting' || hasFilled || isHeld) return;
    hasFilled = true;
    void voice.filler(turnId).then((filler) => {
      if (machine.state === 'waiting' && filler.sound) playback.add(filler);
    });
  };

  const fail = (error: AppError): void => {
    if (!machine.move('ending')) return;
    outcome = { status: 'failed', reason: error.code };
    isReasonOnItsWay = true;
    send({ type: 'error', turn_id: turnId, event: null, event_id: null, ...error.toBody() });
    void voice.reason(error.code).then((reason) => {
      isReasonOnItsWay = false;
      playback.add(reason);
    });
  };

  const complete = (reply: Reply): void => {
    via = reply.via;
    times.tell(reply.timings);
    if (wasSpeechless) fail(new AppError('tts_unavailable'));
    else if (machine.move('ending')) playback.drain();
  };

  const speak = ({ text, sound }: Speech): void => {
    machine.move('speaking');
    if (machine.state !== 'speaking') return;
    wasSpeechless ||= sound === null && text !== '';
    if (playback.waitingMs() > mostReplyMs) fail(new AppError('turn_timeout'));
    else playback.add({ text, sound });
  };

  send({ type: 'response.created', turn_id: turnId });
  const callOffFiller = fillerAfterMs === null ? () => undefined : clock.after(fillerAfterMs, fill);
  const callOffLimit = clock.after(mostAnswerMs, () => fail(new AppError('turn_timeout')));

  return {
    turnId,
    /** Whoever makes the answer hands it in here. */
    taker: { speak, complete, fail } satisfies Taker,
    /** Whether something of it has been sent to be heard. */
    isAudible: () => playback.hasBegun,
    /** Whether it is being heard now. */
    isPlaying: () => machine.state !== 'done' && playback.leftMs() > 0,
    /** Ends it at once. Returns what was heard of it. */
    cancel(reason: CancelReason): string {
      const playedText = playback.playedText();
      finish({ status: 'cancelled', reason }, playedText);
      return playedText;
    },
    /** What was heard of it, when the satellite says how much sound it has played. */
    playedText: playback.playedText,
    /** Begins no sound while the person speaks. */
    hold(): void {
      isHeld = true;
      playback.hold();
    },
    release(): void {
      isHeld = false;
      playback.release();
      if (times.sinceBeginMs() >= (fillerAfterMs ?? Number.POSITIVE_INFINITY)) fill();
    },
    /** The satellite has played everything. */
    playbackFinished(): void {
      if (machine.state === 'ending' && playback.isDrained()) finish(outcome, playback.words);
    },
  };
}

function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    run();
  };
}
