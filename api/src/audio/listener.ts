import { createEchoGate } from './echo-gate.ts';
import { createEndpointer, type Edge, type Outlook, type Silences } from './endpointer.ts';
import { createFramer, frameMs, frameSamples } from './frames.ts';
import { createUtteranceSound, type SoFar, type UtteranceEdge } from './utterance-sound.ts';
import type { Vad } from './vad.ts';

export type { SoFar, Sounds, UtteranceEdge } from './utterance-sound.ts';

/**
 * Words begin before the voice does: this much sound from before an utterance goes with it, in whole frames.
 * Soft beginnings ("Who wrote") are taken for speech up to 360 ms late while the assistant's own voice may
 * still come back.
 */
const leadMs = 480;
/** Silero lets go of a voice a frame late, more or less: 0.04 s over many clips. */
const trailMs = 32;
const minSpeechMs = 96;
/**
 * The first frame without a voice: the sooner the work begins, the sooner the answer. In 42 recordings there
 * are 24 such gaps between words, and 18 that last 32 ms longer; the words of a whole sentence are recognised
 * as well with so little silence behind them.
 */
const tentativeEndMs = 64;
/** The longest utterance, lead included: as much as speech recognition hears at once. */
const maxUtteranceMs = 30_000;

export interface ListenerOptions {
  vad: Vad;
  /** Silence that ends an utterance, by how its words look. */
  silences: Silences;
  /** Whether the assistant can be heard at this moment. */
  isPlaying?: () => boolean;
  /**
   * Of a speech that is longer, nothing is lost: it is cut at its pauses. Undefined: what is too long for an
   * utterance is no request.
   */
  goesOnAfterMs?: number;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * One microphone: bytes in, utterances out. Calls are worked off in their order. Knows no clock: a stream may
 * come faster than it was spoken.
 */
export function createListener({ vad, silences, isPlaying = () => false, goesOnAfterMs }: ListenerOptions) {
  const stream = vad.open();
  const framer = createFramer();
  const sound = createUtteranceSound({ leadMs });
  const endpointer = createEndpointer({
    frameMs,
    trailMs,
    minSpeechMs,
    tentativeEndMs,
    silences,
    maxSpeechMs: maxUtteranceMs - leadMs,
    goesOnAfterMs,
  });
  const echo = createEchoGate();
  /** How many frames were looked at, and how many wait for that. */
  let [looked, waiting] = [0, 0];
  let last: Promise<unknown> = Promise.resolve();

  /** Runs work after all earlier calls. */
  const inTurn = <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const cut = (edges: readonly Edge[]): UtteranceEdge[] => edges.map((edge) => sound.cut(edge));
  const cutOne = (edge: Edge | null): UtteranceEdge | null => (edge ? sound.cut(edge) : null);

  const playing = { isEcho: () => echo.isEcho(sound.last(leadMs), looked * frameSamples) };
  const nowPlaying = () => {
    const isOver = !isPlaying();
    if (isOver) echo.stop(now());
    // Its end is on its way through network, loudspeaker and room.
    return isOver && !echo.mayComeBack(now()) ? null : playing;
  };
  /** Sample of the stream that is being recorded now. */
  const now = () => (looked + waiting) * frameSamples;

  const hear = async (frame: Buffer): Promise<UtteranceEdge[]> => {
    const probability = await stream.speech(frame);
    sound.push(frame);
    looked += 1;
    const edges = cut(endpointer.push(probability, nowPlaying()));
    sound.tidy({ lastMs: leadMs + minSpeechMs, mayContinue: endpointer.mayContinue });
    return edges;
  };

  return {
    /** Sound, in chunks of any size. */
    push(chunk: Buffer): Promise<UtteranceEdge[]> {
      const frames = framer.push(chunk);
      waiting += frames.length;
      return inTurn(async () => {
        const edges: UtteranceEdge[] = [];
        let left = frames.length;
        try {
          for (const frame of frames) {
            [left, waiting] = [left - 1, waiting - 1];
            edges.push(...(await hear(frame)));
          }
        } finally {
          waiting -= left;
        }
        return edges;
      });
    },
    /** Sound was sent to the loudspeaker beside the microphone: it is played after earlier sound. */
    played: (samples: Buffer): void => echo.play(samples, now()),
    /** How much sound waits to be looked at. A caller that pushes must not let this grow. */
    get waitingMs(): number {
      return waiting * frameMs;
    },
    /** The utterance so far; null while no voice is heard. */
    soFar: (): SoFar | null => (endpointer.isVoiced ? sound.soFar() : null),
    /** Tells how the words in the sound up to `transcribedUntilMs` look. */
    expect: (is: Outlook, transcribedUntilMs: number) =>
      inTurn(() => cut(endpointer.expect(is, transcribedUntilMs))),
    /** The button was released. Null: nobody has spoken. */
    commit: () => inTurn(() => cutOne(endpointer.commit())),
    /** Forgets the utterance. */
    clear: () => inTurn(() => cutOne(endpointer.clear())),
    /** Sound is left out here: what comes does not go on with what was. */
    skip: () =>
      inTurn(() => {
        endpointer.clear();
        sound.forget();
      }),
    /** Takes new settings from the next frame on. Manual: only commit ends an utterance. */
    set: (changed: { silences?: Silences; isManual?: boolean }) => inTurn(() => endpointer.set(changed)),
  };
}
