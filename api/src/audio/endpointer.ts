/** VAD probability, 0 to 1, that counts as speech. */
const sureOfSpeech = 0.5;
/** Higher while the assistant speaks, against its own voice and echo. */
const sureWhilePlaying = 0.7;
/** Between the thresholds the state stays: speech fades and silence has noise. */
const sureOfSilence = 0.35;

export interface EndpointerOptions {
  frameMs: number;
  /** Time that still counts as speech after the voice has ended. */
  trailMs: number;
  /** Speech that opens an utterance, or resumes it after a pause. A shorter burst is noise. */
  minSpeechMs: number;
  /** Silence after which work on the answer can start, although speech may go on. */
  tentativeEndMs: number;
  /**
   * Silence that ends an utterance, by the outlook of its words. Longer feels slow, shorter interrupts
   * people.
   */
  silences: Silences;
  /** Maximum length of an utterance. */
  maxSpeechMs: number;
  /**
   * After this much speech, the next pause ends the utterance. Long speech continues in a new one, without
   * loss. Undefined: the rest of an overlong utterance is ignored.
   */
  goesOnAfterMs?: number | undefined;
}

/**
 * The kind of the words so far. `answered`: a short answer to the assistant. `whole`: a complete command that
 * undo can revert. `asked`: a question that changes nothing. `stated`: a complete statement. `open`: the
 * sentence probably continues. `unfinished`: it clearly does. `ordinary`: any other.
 */
export type SentenceOutlook = 'answered' | 'whole' | 'asked' | 'stated' | 'ordinary' | 'open' | 'unfinished';

/** These end early; words that follow revise the result. */
const early: ReadonlySet<SentenceOutlook> = new Set(['answered', 'whole', 'asked', 'stated']);

/** Milliseconds of silence. */
export type Silences = Readonly<Record<SentenceOutlook, number>>;

/** `early`: the words looked complete, and a wrong guess loses nothing. */
type EndCause = 'silence' | 'early' | 'commit' | 'too_long' | 'cleared';

/**
 * A change in an utterance. All times are ms of sound since the stream began; `atMs` is the time of the
 * decision.
 */
export type Edge =
  /** `continues`: the previous utterance ended early, and no ordinary silence has passed since. */
  | { type: 'started'; atMs: number; fromMs: number; continues: boolean }
  /** A tentative end: speech may go on. */
  | { type: 'paused'; atMs: number; untilMs: number }
  | { type: 'resumed'; atMs: number; fromMs: number }
  | { type: 'ended'; atMs: number; untilMs: number; cause: EndCause };

/** `overlong`: the rest of an utterance that got too long, up to the next silence. It is not a request. */
type Phase = 'quiet' | 'speaking' | 'paused' | 'overlong';

interface Span {
  fromMs: number;
  untilMs: number;
}

/** The sound that is playing. While there is any, an utterance needs a higher probability to open. */
interface Playing {
  /** Whether the last voice is only this sound's echo. Called when an utterance would open. */
  isEcho(): boolean;
}

/** The endpointer's state. Below, the queries come first, then the moves that change it. */
interface State {
  options: EndpointerOptions;
  isManual: boolean;
  phase: Phase;
  nowMs: number;
  /** Consecutive voiced frames up to now. */
  run: number;
  isVoice: boolean;
  speech: Span;
  /** The previous utterance if it ended early: it may continue. */
  early: Span | null;
  outlook: { is: SentenceOutlook; untilMs: number };
}

/** Rounds to the nearest whole frame. */
function wholeFrames(ms: number, { frameMs }: EndpointerOptions): number {
  return Math.round(ms / frameMs) * frameMs;
}

/**
 * A voice ends on average in the middle of its last frame. So half a frame of silence has passed when the
 * first silent frame starts.
 */
function isSilentFor({ nowMs, speech, options }: State, ms: number): boolean {
  return nowMs - speech.untilMs >= wholeFrames(ms - options.frameMs / 2, options);
}

function isLongRun({ run, options }: State): boolean {
  return run * options.frameMs >= wholeFrames(options.minSpeechMs, options);
}

function runFromMs({ nowMs, run, options }: State): number {
  return nowMs - run * options.frameMs;
}

function voiceUntilMs({ nowMs, options }: State): number {
  return nowMs - options.trailMs;
}

function isOpen({ phase }: State): boolean {
  return phase === 'speaking' || phase === 'paused';
}

/** Long enough to be cut at a pause, which avoids a cut inside a word. */
function isLongSpeech({ speech, options: { goesOnAfterMs } }: State): boolean {
  return goesOnAfterMs !== undefined && speech.untilMs - speech.fromMs >= goesOnAfterMs;
}

/** The next frame would exceed the limit. */
function isTooLong(state: State): boolean {
  const { nowMs, speech, options } = state;
  return isOpen(state) && nowMs + options.frameMs - speech.fromMs > options.maxSpeechMs;
}

/** Whether speech now would still continue the previous utterance. */
function goesOnWithEarly(state: State): boolean {
  const { early, options } = state;
  return early !== null && runFromMs(state) - early.untilMs < wholeFrames(options.silences.ordinary, options);
}

/**
 * Why a pause is the end, if it is long enough for the words before it. Speech that just began delays the
 * end.
 */
function causeOfEnd(state: State): 'early' | 'silence' | 'too_long' | null {
  const { phase, isManual, run, outlook, speech, options } = state;
  if (phase !== 'paused' || run > 0) return null;
  if (isLongSpeech(state)) return 'too_long';
  if (isManual) return null;
  // Words from before the latest speech say nothing about the end.
  const is = outlook.untilMs >= speech.untilMs ? outlook.is : 'ordinary';
  if (!isSilentFor(state, options.silences[is])) return null;
  return early.has(is) ? 'early' : 'silence';
}

function trackVoice(state: State, probability: number, playing: Playing | null): void {
  state.nowMs += state.options.frameMs;
  const mayBeEcho = playing !== null && state.phase === 'quiet';
  state.run = probability >= (mayBeEcho ? sureWhilePlaying : sureOfSpeech) ? state.run + 1 : 0;
  // One frame short of an utterance: check for an echo again with the next frame.
  if (mayBeEcho && isLongRun(state) && playing.isEcho()) state.run -= 1;
  state.isVoice = state.run > 0 || (state.isVoice && probability >= sureOfSilence);
  // In a pause, speech must reach the minimum length first, as at the start.
  const isSpeech = state.phase === 'speaking' || state.phase === 'overlong';
  if (state.isVoice && isSpeech) state.speech.untilMs = voiceUntilMs(state);
}

function start(state: State): Edge {
  const fromMs = runFromMs(state);
  const continued = goesOnWithEarly(state) ? state.early : null;
  // The limit covers both parts together.
  state.speech = { fromMs: continued?.fromMs ?? fromMs, untilMs: voiceUntilMs(state) };
  state.phase = 'speaking';
  return { type: 'started', atMs: state.nowMs, fromMs, continues: continued !== null };
}

function resume(state: State): Edge {
  state.phase = 'speaking';
  state.speech.untilMs = voiceUntilMs(state);
  return { type: 'resumed', atMs: state.nowMs, fromMs: runFromMs(state) };
}

function pause(state: State): Edge {
  state.phase = 'paused';
  return { type: 'paused', atMs: state.nowMs, untilMs: state.speech.untilMs };
}

function end(state: State, cause: EndCause): Edge {
  state.phase = cause === 'too_long' && state.options.goesOnAfterMs === undefined ? 'overlong' : 'quiet';
  state.early = cause === 'early' ? state.speech : null;
  state.run = 0;
  return { type: 'ended', atMs: state.nowMs, untilMs: state.speech.untilMs, cause };
}

function endPause(state: State): Edge[] {
  const cause = causeOfEnd(state);
  return cause === null ? [] : [end(state, cause)];
}

function endNow(state: State, cause: 'commit' | 'cleared'): Edge | null {
  const edge = isOpen(state) ? end(state, cause) : null;
  state.phase = 'quiet';
  state.run = 0;
  state.early = null;
  return edge;
}

/** The move for a frame, by phase. */
const moves: Readonly<Record<Phase, (state: State) => Edge[]>> = {
  quiet: (state) => (isLongRun(state) ? [start(state)] : []),
  speaking: (state) => (isSilentFor(state, state.options.tentativeEndMs) ? [pause(state)] : []),
  paused: (state) => (isLongRun(state) ? [resume(state)] : []),
  overlong: (state) => {
    if (isSilentFor(state, state.options.silences.ordinary)) state.phase = 'quiet';
    return [];
  },
};

export type Endpointer = ReturnType<typeof createEndpointer>;

/** Finds where utterances start, pause and end. Time comes from the frames, never from a clock. */
export function createEndpointer(options: EndpointerOptions) {
  const state: State = {
    options,
    isManual: false,
    phase: 'quiet',
    nowMs: 0,
    run: 0,
    isVoice: false,
    speech: { fromMs: 0, untilMs: 0 },
    early: null,
    outlook: { is: 'ordinary', untilMs: 0 },
  };

  return {
    /** Whether speech that starts now would continue the previous utterance. */
    get mayContinue(): boolean {
      return state.phase === 'quiet' && goesOnWithEarly(state);
    },
    /** Whether there is voice now: neither a pause nor a gap between words. */
    get isVoiced(): boolean {
      return state.run > 0;
    },
    /** Processes the next frame. `playing`: the sound that is playing, if any. */
    push(probability: number, playing: Playing | null = null): Edge[] {
      trackVoice(state, probability, playing);
      const edges = [...moves[state.phase](state), ...endPause(state)];
      return isTooLong(state) ? [...edges, end(state, 'too_long')] : edges;
    },
    /** Sets the outlook of the words up to `transcribedUntilMs`. It applies until more speech follows. */
    expect(is: SentenceOutlook, transcribedUntilMs: number): Edge[] {
      state.outlook = { is, untilMs: transcribedUntilMs };
      return endPause(state);
    },
    /** The person ends the utterance. Null: there was no speech. */
    commit: () => endNow(state, 'commit'),
    /** Drops the utterance. */
    clear: () => endNow(state, 'cleared'),
    /** Manual: pauses are reported, but only commit ends an utterance. */
    set(changed: { silences?: Silences; isManual?: boolean }): void {
      state.options = { ...state.options, silences: changed.silences ?? state.options.silences };
      state.isManual = changed.isManual ?? state.isManual;
    },
  };
}
