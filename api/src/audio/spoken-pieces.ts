import { AppError } from '../errors.ts';
import { bytesPerSample, type Pcm } from './pcm.ts';
import { resample } from './resample.ts';
import { joinSpeech } from './speech-join.ts';

/** Pauses after a sentence and, shorter, after a clause. */
const pauseMs = { sentence: 300, clause: 120 };

interface SpokenPieces {
  say: (text: string) => Promise<Pcm | null>;
  /** The output rate; by default that of the first sound. */
  rateHz?: number;
}

/**
 * The sounds of a text's pieces in order, each with the pause before it. Produces the next piece while one is
 * sent. Throws `tts_unavailable` if no voice could speak one.
 */
export async function* speakPieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  { say, rateHz }: SpokenPieces,
): AsyncGenerator<Pcm, void> {
  const texts = iteratorOf(pieces);
  let outHz = rateHz;
  const soundAfter = async (before: string | undefined): Promise<{ text: string; sound: Pcm } | null> => {
    const { value: text, done } = await texts.next();
    if (done) return null;
    const spoken = await say(text);
    if (!spoken) throw new AppError('tts_unavailable');
    outHz ??= spoken.sampleRateHz;
    const { samples } = await resample(await joinSpeech([{ sound: spoken, pauseMs: 0 }]), outHz);
    const pause = before === undefined ? Buffer.alloc(0) : silence(pauseAfter(before), outHz);
    return { text, sound: { sampleRateHz: outHz, samples: Buffer.concat([pause, samples]) } };
  };

  let next = soundAfter(undefined);
  for (let piece = await next; piece; piece = await next) {
    next = soundAfter(piece.text);
    // The error surfaces when this piece is awaited.
    next.catch(() => undefined);
    yield piece.sound;
  }
}

function iteratorOf(pieces: Iterable<string> | AsyncIterable<string>) {
  return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
}

function pauseAfter(text: string): number {
  return /[,;:–]$/.test(text) ? pauseMs.clause : pauseMs.sentence;
}

function silence(ms: number, rateHz: number): Buffer {
  return Buffer.alloc(Math.round((ms * rateHz) / 1_000) * bytesPerSample);
}
