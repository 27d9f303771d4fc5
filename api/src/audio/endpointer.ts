/** How sure the voice detection must be, from 0 to 1. */
const sureOfSpeech = 0.5;
/** While the assistant speaks, its own voice and the room's echo of it must not pass so easily. */
const sureWhilePlaying = 0.7;
/** Between the two, what was last goes on: speech fades, silence rustles. */
const sureOfSilence = 0.35;

export interface EndpointerOptions {
  frameMs: number;
  /** Frames still count as speech so long after the voice has ended. */
  trailMs: number;
  /** Speech this long opens an utterance, or goes on with one after a pause; a shorter burst is noise. */
  minSpeechMs: number;
  /** Silence this long may be the end: work on the answer can begin. */
  tentativeEndMs: number;
  /** Silence this long is the end of a whole command that can be undone. */
  wholeSilenceMs: number;
  /** Silence this long is the end. Longer feels slow, shorter cuts people off. */
  endSilenceMs: number;
  /** Silence this long is the end even of a sentence that plainly goes on. */
  unfinishedSilenceMs: number;
  /** An utterance is ended when it gets this long. */
  mostSpeechMs: number;
}

/** What the words heard so far look like: a whole command that can be undone, a sentence that plainly goes on, or neither. */
export type Outlook = 'whole' | 'unfinished' | 'ordinary';

export type EndCause = 'silence' | 'whole' | 'commit' | 'too_long' | 'cleared';

/** Where an utterance turns. All times are ms of sound since the stream began; `atMs` is when it was decided. */
export type Edge =
  /** `continues`: the utterance before was ended as a whole command, and no ordinary silence has passed since. */
  | { type: 'started'; atMs: number; fromMs: number; continues: boolean }
  /** A tentative end: speech may go on. */
  | { type: 'paused'; atMs: number; untilMs: number }
  | { type: 'resumed'; atMs: number; fromMs: number }
  | { type: 'ended'; atMs: number; untilMs: number; cause: EndCause };

/** `overlong`: the rest of an utterance that was ended for its length, up to the next silence. It is no request of its own. */
type Phase = 'quiet' | 'speaking' | 'paused' | 'overlong';

interface Span {
  fromMs: number;
  untilMs: number;
}

/** While something is played the voice detection must be surer to open an utterance. */
export interface Playing {
  /** Whether what was heard last is only what is played. Asked when an utterance would open. */
  isEcho(): boolean;
}

export type Endpointer = ReturnType<typeof createEndpointer>;

/** Finds where utterances start, pause and end. Time comes from the frames, never from a clock. */
export function createEndpointer(given: EndpointerOptions) {
  let options = given;
  let isManual = false;
  let phase: Phase = 'quiet';
  let nowMs = 0;
  /** Voiced frames in a row, up to now. */
  let run = 0;
  let isVoice = false;
  let speech: Span = { fromMs: 0, untilMs: 0 };
  /** The utterance before, when it was ended as a whole command: it may turn out to go on. */
  let whole: Span | null = null;
  let outlook: { is: Outlook; untilMs: number } = { is: 'ordinary', untilMs: 0 };

  /** To whole frames, whichever is nearer. */
  const wholeFrames = (ms: number) => Math.round(ms / options.frameMs) * options.frameMs;
  /** The voice ends somewhere in its last frame, in the middle of it on average: so much of the silence has passed before the first silent one. */
  const silentFor = (ms: number) => nowMs - speech.untilMs >= wholeFrames(ms - options.frameMs / 2);
  const isLongRun = () => run * options.frameMs >= wholeFrames(options.minSpeechMs);
  const voiceUntilMs = () => nowMs - options.trailMs;
  const runFromMs = () => nowMs - run * options.frameMs;
  const mayContinue = () => whole !== null && runFromMs() - whole.untilMs < wholeFrames(options.endSilenceMs);

  const hear = (probability: number, playing: Playing | null) => {
    nowMs += options.frameMs;
    const sure = playing && phase === 'quiet' ? sureWhilePlaying : sureOfSpeech;
    run = probability >= sure ? run + 1 : 0;
    // Asked again with the next frame.
    if (playing && phase === 'quiet' && isLongRun() && playing.isEcho()) run -= 1;
    isVoice = run > 0 || (isVoice && probability >= sureOfSilence);
    // In a pause speech must first prove itself, as at the start.
    if (isVoice && (phase === 'speaking' || phase === 'overlong')) speech.untilMs = voiceUntilMs();
  };

  const start = (): Edge => {
    const fromMs = runFromMs();
    const continued = mayContinue() ? whole : null;
    // The limit holds for both parts together.
    speech = { fromMs: continued?.fromMs ?? fromMs, untilMs: voiceUntilMs() };
    phase = 'speaking';
    return { type: 'started', atMs: nowMs, fromMs, continues: continued !== null };
  };

  const resume = (): Edge => {
    phase = 'speaking';
    speech.untilMs = voiceUntilMs();
    return { type: 'resumed', atMs: nowMs, fromMs: runFromMs() };
  };

  const pause = (): Edge => {
    phase = 'paused';
    return { type: 'paused', atMs: nowMs, untilMs: speech.untilMs };
  };

  const end = (cause: EndCause): Edge => {
    phase = cause === 'too_long' ? 'overlong' : 'quiet';
    whole = cause === 'whole' ? speech : null;
    run = 0;
    return { type: 'ended', atMs: nowMs, untilMs: speech.untilMs, cause };
  };

  /** Words that were heard before the last speech say nothing about the end. */
  const outlookNow = (): Outlook => (outlook.untilMs >= speech.untilMs ? outlook.is : 'ordinary');

  /** The end of a pause, when it has lasted long enough for what was said. Speech that has just begun puts it off. */
  const endOfPause = (): Edge[] => {
    if (phase !== 'paused' || isManual || run > 0) return [];
    const is = outlookNow();
    if (is === 'whole' && silentFor(options.wholeSilenceMs)) return [end('whole')];
    const { endSilenceMs, unfinishedSilenceMs } = options;
    const waitMs = is === 'unfinished' ? Math.max(endSilenceMs, unfinishedSilenceMs) : endSilenceMs;
    return silentFor(waitMs) ? [end('silence')] : [];
  };

  const turns: Readonly<Record<Phase, () => Edge[]>> = {
    quiet: () => (isLongRun() ? [start()] : []),
    speaking: () => (silentFor(options.tentativeEndMs) ? [pause()] : []),
    paused: () => (isLongRun() ? [resume()] : []),
    overlong: () => {
      if (silentFor(options.endSilenceMs)) phase = 'quiet';
      return [];
    },
  };
  const isOpen = () => phase === 'speaking' || phase === 'paused';

  const endNow = (cause: 'commit' | 'cleared'): Edge | null => {
    const edge = isOpen() ? end(cause) : null;
    phase = 'quiet';
    run = 0;
    whole = null;
    return edge;
  };

  return {
    /** Whether what is said next would still go on with the utterance before. */
    get mayContinue(): boolean {
      return phase === 'quiet' && mayContinue();
    },
    /** A voice is heard at this very moment: neither a pause has begun, nor the gap between two words. */
    get isVoiced(): boolean {
      return run > 0;
    },
    /** The next frame, and what is known of the loudspeaker while it plays. */
    push(probability: number, playing: Playing | null = null): Edge[] {
      hear(probability, playing);
      const edges = [...turns[phase](), ...endOfPause()];
      // Now, when another frame would be too much.
      const isTooLong = isOpen() && nowMs + options.frameMs - speech.fromMs > options.mostSpeechMs;
      return isTooLong ? [...edges, end('too_long')] : edges;
    },
    /** What the words look like that were heard in the sound up to `heardUntilMs`. Counts until more is said. */
    expect(is: Outlook, transcribedUntilMs: number): Edge[] {
      outlook = { is, untilMs: transcribedUntilMs };
      return endOfPause();
    },
    /** The person says that this is the end. Null: nothing was said. */
    commit: () => endNow('commit'),
    /** Forgets the utterance. */
    clear: () => endNow('cleared'),
    /** Manual: pauses are told, but only commit ends an utterance. */
    set(changed: { endSilenceMs?: number; isManual?: boolean }): void {
      options = { ...options, endSilenceMs: changed.endSilenceMs ?? options.endSilenceMs };
      isManual = changed.isManual ?? isManual;
    },
  };
}
