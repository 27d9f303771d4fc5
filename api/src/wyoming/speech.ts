import { PassThrough } from 'node:stream';
import type { Pcm } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { AppError } from '../errors.ts';
import type { WyomingEvent } from './frames.ts';
import { maxTextCharacters } from './requests.ts';

/** A tenth of a second at 22,050 Hz, more or less, so that no caller waits for a whole sentence to arrive. */
const chunkBytes = 4_096;
/** Where there is nothing to say, callers that write a file still need some sound for it. */
const nothing: Pcm = { sampleRateHz: speechRateHz, samples: Buffer.alloc(speechRateHz / 5) };

/** Text that comes piece by piece, and leaves in sentences. */
export interface Sentences {
  push(text: string): string[];
  end(): string[];
}

/** A text on its way to be spoken. */
export function createSpokenText(sentences: Sentences) {
  const pieces = new PassThrough({ objectMode: true, highWaterMark: maxTextCharacters });
  let characters = 0;
  const give = (ready: readonly string[]) => {
    for (const piece of ready) pieces.write(piece);
  };
  return {
    pieces: pieces as AsyncIterable<string>,
    /** Throws `invalid_request` for more than anybody has read out. */
    push(text: string): void {
      characters += text.length;
      if (characters > maxTextCharacters) {
        const message = `A text may have ${maxTextCharacters} characters.`;
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

/** The messages of a sound, from `audio-start` to `audio-stop`, as soon as there is some. */
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
