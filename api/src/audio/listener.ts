import { createEchoGate } from './echo-gate.ts';
import { createEndpointer, type Edge, type SentenceOutlook, type Silences } from './endpointer.ts';
import { createFramer, frameMs, frameSamples } from './frames.ts';
import { createUtteranceSound, type OpenUtterance, type UtteranceEdge } from './utterance-sound.ts';
import type { Vad } from './vad.ts';

export type { OpenUtterance, Sounds, UtteranceEdge } from './utterance-sound.ts';

/**
 * Sound from before an utterance that belongs to it, in whole frames. While the assistant's own voice may
 * return, quiet beginnings ("Who wrote") count as speech up to 360 ms late.
 */
const leadMs = 480;
/** Silero reports the end of a voice about a frame late: 0.04 s over many clips. */
const trailMs = 32;
const minSpeechMs = 96;
/**
 * The first frame without voice: early work gives an early answer. In 42 recordings, 24 gaps between words
 * are this long, and 18 last 32 ms longer. A whole sentence is recognized as well with this little silence
 * after it.
 */
const tentativeEndMs = 64;
/** The longest utterance, lead included: the window of speech recognition. */
const maxUtteranceMs = 30_000;

interface ListenerOptions {
  vad: Vad;
  /** Silence that ends an utterance, by the outlook of its words. */
  silences: Silences;
  /** Whether the assistant is audible now. */
  isPlaying?: () => boolean;
  /** Longer speech is cut at its pauses without loss. Undefined: an overlong utterance is not a request. */
  goesOnAfterMs?: number;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * One microphone: bytes in, utterances out. Calls run in order. Uses no clock: a stream may arrive faster
 * than real time.
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
  /** Number of processed frames and of waiting ones. */
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
    // Its end is still on its way through network, loudspeaker and room.
    return isOver && !echo.mayComeBack(now()) ? null : playing;
  };
  /** The current sample position of the stream. */
  const now = () => (looked + waiting) * frameSamples;

  const processFrame = async (frame: Buffer): Promise<UtteranceEdge[]> => {
    const probability = await stream.speech(frame);
    sound.push(frame);
    looked += 1;
    const edges = cut(endpointer.push(probability, nowPlaying()));
    sound.tidy({ lastMs: leadMs + minSpeechMs, mayContinue: endpointer.mayContinue });
    return edges;
  };

  return {
    /** Takes sound in chunks of any size. */
    push(chunk: Buffer): Promise<UtteranceEdge[]> {
      const frames = framer.push(chunk);
      waiting += frames.length;
      return inTurn(async () => {
        const edges: UtteranceEdge[] = [];
        let left = frames.length;
        try {
          for (const frame of frames) {
            [left, waiting] = [left - 1, waiting - 1];
            edges.push(...(await processFrame(frame)));
          }
        } finally {
          waiting -= left;
        }
        return edges;
      });
    },
    /** Sound was sent to the satellite's loudspeaker: it plays after earlier sound. */
    played: (samples: Buffer): void => echo.play(samples, now()),
    /** Length of unprocessed sound. Callers of `push` must limit it. */
    get waitingMs(): number {
      return waiting * frameMs;
    },
    /** The utterance so far; null while there is no voice. */
    soFar: (): OpenUtterance | null => (endpointer.isVoiced ? sound.soFar() : null),
    /** Sets the outlook of the words up to `transcribedUntilMs`. */
    expect: (is: SentenceOutlook, transcribedUntilMs: number) =>
      inTurn(() => cut(endpointer.expect(is, transcribedUntilMs))),
    /** The button was released. Null: there was no speech. */
    commit: () => inTurn(() => cutOne(endpointer.commit())),
    /** Drops the utterance. */
    clear: () => inTurn(() => cutOne(endpointer.clear())),
    /** Marks a gap: the next sound does not continue the previous one. */
    skip: () =>
      inTurn(() => {
        endpointer.clear();
        sound.forget();
      }),
    /** Applies new settings from the next frame on. Manual: only commit ends an utterance. */
    set: (changed: { silences?: Silences; isManual?: boolean }) => inTurn(() => endpointer.set(changed)),
  };
}
