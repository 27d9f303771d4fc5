import { createRunningWeights } from '../audio/channel-weights.ts';
import { toBytes } from '../audio/pcm.ts';
import { createPcmResampler, type PcmResampler } from '../audio/resample.ts';
import { mixDown, type SampleCoding, sampleCodings } from '../audio/sample-coding.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import type { RequestData } from './requests.ts';

type Format = RequestData<'audio-chunk'>;

/** Sample coding by bytes per sample. */
const codings: Readonly<Record<Format['width'], SampleCoding>> = {
  1: sampleCodings.unsigned8,
  2: sampleCodings.integer16,
  3: sampleCodings.integer24,
  4: sampleCodings.integer32,
};

interface Intake {
  format: Format;
  resampler: PcmResampler;
  weightsOf: ReturnType<typeof createRunningWeights>;
}

/** Converts sound of any format to 16-bit mono samples at 16 kHz. Chunks may end inside a sample. */
export function createSoundIntake() {
  let current: Intake | null = null;
  let rest: Buffer = Buffer.alloc(0);

  return {
    push(format: Format, bytes: Buffer): Buffer {
      const { rate, width, channels } = format;
      const isNew =
        current?.format.rate !== rate ||
        current.format.width !== width ||
        current.format.channels !== channels;
      if (current === null || isNew) {
        const resampler = createPcmResampler({ fromHz: rate, toHz: speechRateHz });
        current = { format, resampler, weightsOf: createRunningWeights() };
        rest = Buffer.alloc(0);
      }
      const all = Buffer.concat([rest, bytes]);
      const frames = Math.floor(all.length / (width * channels));
      rest = all.subarray(frames * width * channels);
      const raw = { sampleRateHz: rate, channels, coding: codings[width], data: all };
      const weights = channels === 1 ? [1] : current.weightsOf(raw);
      return current.resampler.push(toBytes(mixDown(raw, 0, frames, weights)));
    },
    /** Returns the rest that the resampler has held back. */
    end: (): Buffer => current?.resampler.end() ?? Buffer.alloc(0),
  };
}
