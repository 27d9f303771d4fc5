import { createFlacStream } from '../audio/flac-stream.ts';
import { createPcmResampler } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { streamedWavHeader } from '../audio/wav.ts';

/** Encodes a file while it is downloaded. */
interface SoundCoder {
  contentType: string;
  push(samples: Buffer): Buffer;
  end(): Buffer;
}

/** The format that a device wants, or one that every player supports. */
export interface WantedSound {
  format: string;
  sampleRateHz: number;
}

const usual: WantedSound = { format: 'wav', sampleRateHz: speechRateHz };
const known = new Set(['flac', 'wav']);
/** Limits from ESPHome's media player API. Other values are firmware errors. */
const rates = { min: 8_000, max: 48_000 };

/** Chooses the format for a device. Every ESPHome player supports WAV, so that is the fallback. */
export function answerFormat(wanted: WantedSound | null): WantedSound {
  if (wanted === null || !known.has(wanted.format)) return usual;
  const { format, sampleRateHz } = wanted;
  const isFit = sampleRateHz >= rates.min && sampleRateHz <= rates.max;
  return { format, sampleRateHz: isFit ? sampleRateHz : usual.sampleRateHz };
}

/** Bytes that a player reads before it plays. Linux Voice Assistant 1.1.15 (mpv) begins after 180 kB. */
const maxReadAheadBytes = 256 * 1_024;
const bytesPerSample = 2;

/** How far the sound of an answer is sent ahead of playback, so that a player begins at once. */
export function aheadMsFor({ sampleRateHz }: WantedSound): number {
  return Math.round((maxReadAheadBytes / (sampleRateHz * bytesPerSample)) * 1_000);
}

/** Encodes 16 kHz sound in the format of a device. */
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
