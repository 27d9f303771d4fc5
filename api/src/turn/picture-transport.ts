import { z } from 'zod';
import { AppError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { ShownPictures } from './shown-pictures.ts';
import type { Turn } from './turn.ts';

const urlsSchema = z.array(z.string());
/** Pictures have no sample rate. */
const noRate = 0;

export type PictureTransport = ReturnType<typeof createPictureTransport>;

/** Sends pictures like sounds, from memory to memory, so that none is ever written to a disk. */
export function createPictureTransport(sounds: Pick<SoundTransport, 'keep' | 'collect'>) {
  return {
    /** Keeps the pictures of a turn until it is over. Throws AppError if there is no room. */
    keep(turnId: string, { urls }: ShownPictures): void {
      sounds.keep(turnId, { sampleRateHz: noRate, samples: Buffer.from(JSON.stringify(urls)) });
    },
    /** Returns the pictures of a turn, or an empty list. Throws AppError if they were lost. */
    async of({ id, replyTo, pictures }: Turn, signal: AbortSignal): Promise<readonly string[]> {
      if (pictures === undefined) return [];
      const sent = await sounds.collect(id, replyTo, signal);
      if (sent === null)
        throw new AppError('internal', undefined, { cause: new Error('the pictures are gone') });
      return urlsSchema.parse(parseJson(sent.samples.toString()));
    },
  };
}
