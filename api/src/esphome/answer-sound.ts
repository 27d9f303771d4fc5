import { createFlacStream } from '../audio/flac-stream.ts';
import { createPcmResampler } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { streamedWavHeader } from '../audio/wav.ts';

/** A file that is made while it is read. */
export interface SoundCoder {
  contentType: string;
  push(samples: Buffer): Buffer;
  end(): Buffer;
}

/** What a device asks for, or what every player reads. */
export interface WantedSound {
  format: string;
  sampleRateHz: number;
}

const usual: WantedSound = { format: 'wav', sampleRateHz: speechRateHz };
const known = new Set(['flac', 'wav']);
/** As in the contract of ESPHome's players; what is beyond is a mistake of the device. */
const rates = { least: 8_000, most: 48_000 };

/** The format in which a device gets its answers. Whatever else it asks for, it reads WAV: each of ESPHome's players does. */
export function answerFormat(wanted: WantedSound | null): WantedSound {
  if (wanted === null || !known.has(wanted.format)) return usual;
  const { format, sampleRateHz } = wanted;
  const isFit = sampleRateHz >= rates.least && sampleRateHz <= rates.most;
  return { format, sampleRateHz: isFit ? sampleRateHz : usual.sampleRateHz };
}

/** Makes 16 kHz sound into the format that a device wants. */
export function createSoundCoder({ format, sampleRateHz }: WantedSound): SoundCoder {
  const resampler = createPcmResampler({ fromHz: speechRateHz, toHz: sampleRateHz });
  if (format === 'flac') {
    const flac = createFlacStream({ sampleRateHz });
    return {
      contentType: 'audio/flac',
      push: (samples) => flac.push(resampler.push(samples)),
      end: () => Buffer.concat([flac.push(resampler.end()), flac.end()]),
    };
  }
  let header = streamedWavHeader(sampleRateHz);
  const withHeader = (samples: Buffer): Buffer => {
    const bytes = Buffer.concat([header, samples]);
    header = Buffer.alloc(0);
    return bytes;
  };
  return {
    contentType: 'audio/wav',
    push: (samples) => withHeader(resampler.push(samples)),
    end: () => withHeader(resampler.end()),
  };
}
