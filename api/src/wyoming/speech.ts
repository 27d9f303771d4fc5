import { PassThrough } from 'node:stream';
import type { Pcm } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { AppError } from '../errors.ts';
import type { WyomingEvent } from './frames.ts';
import { maxTextCharacters } from './requests.ts';

/** About a tenth of a second at 22,050 Hz, so that playback can start before a whole sentence has arrived. */
const chunkBytes = 4_096;
/** Played for an empty text, because clients that write a file need some sound. */
const nothing: Pcm = { sampleRateHz: speechRateHz, samples: Buffer.alloc(speechRateHz / 5) };

/** Splits text into sentences as it arrives. */
export interface Sentences {
  push(text: string): string[];
  end(): string[];
}

/** A voice in one language. */
export interface Speaker {
  sentences: Sentences;
  /** Throws AppError. */
  speak: (pieces: AsyncIterable<string>, signal: AbortSignal) => AsyncIterable<Pcm>;
}

/** Reads a text to its end, and then reports why it cannot be spoken. */
export function refusing(error: unknown): Speaker {
  return {
    sentences: { push: () => [], end: () => [] },
    speak: () => {
      throw error;
    },
  };
}

/** A text that is split for speech while it arrives. */
export function createSpokenText(sentences: Sentences) {
  const pieces = new PassThrough({ objectMode: true, highWaterMark: maxTextCharacters });
  let characters = 0;
  const give = (ready: readonly string[]) => {
    for (const piece of ready) pieces.write(piece);
  };
  return {
    pieces: pieces as AsyncIterable<string>,
    /** Throws `invalid_request` for a text beyond the limit. */
    push(text: string): void {
      characters += text.length;
      if (characters > maxTextCharacters) {
        const message = `A text may have at most ${maxTextCharacters} characters.`;
        throw new AppError('invalid_request', message, { param: 'text' });
      }
      give(sentences.push(text));
    },
    end(): void {
      give(sentences.end());
      pieces.end();
    },
    close: () => pieces.destroy(),
  };
}

type SoundEvent = Pick<WyomingEvent, 'type'> & Partial<WyomingEvent>;

/** Yields the messages of a sound, from `audio-start` to `audio-stop`, as soon as there is some. */
export async function* soundEvents(sounds: AsyncIterable<Pcm>): AsyncGenerator<SoundEvent, void> {
  let format: { rate: number; width: 2; channels: 1 } | null = null;
  for await (const sound of orNothing(sounds)) {
    if (format === null) {
      format = { rate: sound.sampleRateHz, width: 2, channels: 1 };
      yield { type: 'audio-start', data: { ...format, timestamp: 0 } };
    }
    for (let at = 0; at < sound.samples.length; at += chunkBytes)
      yield { type: 'audio-chunk', data: format, payload: sound.samples.subarray(at, at + chunkBytes) };
  }
  yield { type: 'audio-stop' };
}

async function* orNothing(sounds: AsyncIterable<Pcm>): AsyncGenerator<Pcm, void> {
  let isEmpty = true;
  for await (const sound of sounds) {
    isEmpty = false;
    yield sound;
  }
  if (isEmpty) yield nothing;
}
