/** How sure the voice detection must be, from 0 to 1. */
const sureOfSpeech = 0.5;
/** While the assistant speaks, its own voice and the echo of it must not pass so easily. */
const sureWhilePlaying = 0.7;
/** In between nothing changes: speech fades, silence rustles. */
const sureOfSilence = 0.35;

export interface EndpointerOptions {
  frameMs: number;
  /** Frames still count as speech for this long after the voice has ended. */
  trailMs: number;
  /** Speech this long opens an utterance, or goes on with one after a pause; a shorter burst is noise. */
  minSpeechMs: number;
  /** Silence this long may be the end: work on the answer can begin. */
  tentativeEndMs: number;
  /**
   * Silence this long is the end, by how the words before it look. Longer feels slow, shorter cuts people
   * off.
   */
  silences: Silences;
  /** An utterance is ended when it gets this long. */
  maxSpeechMs: number;
  /**
   * Nothing of a long speech is lost: after this much of it the next pause is an end, and what follows an end
   * is an utterance of its own. Undefined: the rest of an utterance that got too long is no request, and
   * passed over.
   */
  goesOnAfterMs?: number | undefined;
}

/**
 * How the words heard so far look: like a whole command that can be undone, like a question that asks for
 * nothing but words, like a statement that stands alone, like a sentence that plainly goes on, or like none
 * of these.
 */
export type Outlook = 'whole' | 'asked' | 'stated' | 'unfinished' | 'ordinary';

/** After these the end comes early, and what goes on after it is revised. */
const early: ReadonlySet<Outlook> = new Set(['whole', 'asked', 'stated']);

/** Milliseconds of silence. */
export type Silences = Readonly<Record<Outlook, number>>;

/** `early`: the words looked complete, and if they were not, nothing is lost. */
export type EndCause = 'silence' | 'early' | 'commit' | 'too_long' | 'cleared';

/**
 * A change in an utterance. All times are ms of sound since the stream began; `atMs` is when it was decided.
 */
export type Edge =
  /** `continues`: the utterance before was ended early, and no ordinary silence has passed since. */
  | { type: 'started'; atMs: number; fromMs: number; continues: boolean }
  /** A tentative end: speech may go on. */
  | { type: 'paused'; atMs: number; untilMs: number }
  | { type: 'resumed'; atMs: number; fromMs: number }
  | { type: 'ended'; atMs: number; untilMs: number; cause: EndCause };

/**
 * `overlong`: the rest of an utterance that got too long, up to the next silence. It is no request of its
 * own.
 */
type Phase = 'quiet' | 'speaking' | 'paused' | 'overlong';

interface Span {
  fromMs: number;
  untilMs: number;
}

/** The sound that is being played. While there is any, only a surer voice opens an utterance. */
export interface Playing {
  /** Whether the voice heard last is only this sound coming back. Asked when an utterance would open. */
  isEcho(): boolean;
}

/** Everything the endpointer knows. Below, questions about it come first, then the moves that change it. */
interface State {
  options: EndpointerOptions;
  isManual: boolean;
  phase: Phase;
  nowMs: number;
  /** Voiced frames in a row, up to now. */
  run: number;
  isVoice: boolean;
  speech: Span;
  /** The utterance before, if it was ended early: it may turn out to go on. */
  early: Span | null;
  outlook: { is: Outlook; untilMs: number };
}

/** To whole frames, whichever is nearer. */
function wholeFrames(ms: number, { frameMs }: EndpointerOptions): number {
  return Math.round(ms / frameMs) * frameMs;
}

/**
 * A voice ends on average in the middle of its last frame. That half frame of silence has passed when the
 * first silent frame begins.
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

/** It is long enough to be cut at a pause, so that nothing has to be cut inside a word. */
function isLongSpeech({ speech, options: { goesOnAfterMs } }: State): boolean {
  return goesOnAfterMs !== undefined && speech.untilMs - speech.fromMs >= goesOnAfterMs;
}

/** The next frame would be too much. */
function isTooLong(state: State): boolean {
  const { nowMs, speech, options } = state;
  return isOpen(state) && nowMs + options.frameMs - speech.fromMs > options.maxSpeechMs;
}

/** Whether a voice now still goes on with the utterance before. */
function goesOnWithEarly(state: State): boolean {
  const { early, options } = state;
  return early !== null && runFromMs(state) - early.untilMs < wholeFrames(options.silences.ordinary, options);
}

/**
 * Why a pause is the end, if it has lasted long enough for the words before it. Speech that has just begun
 * puts the end off.
 */
function causeOfEnd(state: State): 'early' | 'silence' | 'too_long' | null {
  const { phase, isManual, run, outlook, speech, options } = state;
  if (phase !== 'paused' || run > 0) return null;
  if (isLongSpeech(state)) return 'too_long';
  if (isManual) return null;
  // Words that were heard before the last speech say nothing about the end.
  const is = outlook.untilMs >= speech.untilMs ? outlook.is : 'ordinary';
  if (!isSilentFor(state, options.silences[is])) return null;
  return early.has(is) ? 'early' : 'silence';
}

function hear(state: State, probability: number, playing: Playing | null): void {
  state.nowMs += state.options.frameMs;
  const mayBeEcho = playing !== null && state.phase === 'quiet';
  state.run = probability >= (mayBeEcho ? sureWhilePlaying : sureOfSpeech) ? state.run + 1 : 0;
  // One frame short of an utterance: the question is asked again with the next frame.
  if (mayBeEcho && isLongRun(state) && playing.isEcho()) state.run -= 1;
  state.isVoice = state.run > 0 || (state.isVoice && probability >= sureOfSilence);
  // In a pause speech must first prove itself, as at the start.
  const isSpeech = state.phase === 'speaking' || state.phase === 'overlong';
  if (state.isVoice && isSpeech) state.speech.untilMs = voiceUntilMs(state);
}

function start(state: State): Edge {
  const fromMs = runFromMs(state);
  const continued = goesOnWithEarly(state) ? state.early : null;
  // The limit holds for both parts together.
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

/** The move that a frame leads to, by the phase it is heard in. */
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
    /** Whether speech that begins now would go on with the utterance before. */
    get mayContinue(): boolean {
      return state.phase === 'quiet' && goesOnWithEarly(state);
    },
    /** A voice is heard at this very moment: there is no pause, nor the gap between two words. */
    get isVoiced(): boolean {
      return state.run > 0;
    },
    /** The next frame, and the sound that is being played, if any. */
    push(probability: number, playing: Playing | null = null): Edge[] {
      hear(state, probability, playing);
      const edges = [...moves[state.phase](state), ...endPause(state)];
      return isTooLong(state) ? [...edges, end(state, 'too_long')] : edges;
    },
    /** Tells how the words in the sound up to `transcribedUntilMs` look. Counts until more is said. */
    expect(is: Outlook, transcribedUntilMs: number): Edge[] {
      state.outlook = { is, untilMs: transcribedUntilMs };
      return endPause(state);
    },
    /** The person says that this is the end. Null: nothing was said. */
    commit: () => endNow(state, 'commit'),
    /** Forgets the utterance. */
    clear: () => endNow(state, 'cleared'),
    /** Manual: pauses are told, but only commit ends an utterance. */
    set(changed: { silences?: Silences; isManual?: boolean }): void {
      state.options = { ...state.options, silences: changed.silences ?? state.options.silences };
      state.isManual = changed.isManual ?? state.isManual;
    },
  };
}
