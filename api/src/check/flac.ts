import { blockOf, streamInfo } from '../audio/flac-stream.ts';
import { toNumbers } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';

/** Maximum samples in one FLAC block. */
const maxSamples = 65_535;

/**
 * Encodes sound as an uncompressed FLAC file (RFC 9639). Only ffmpeg can read it here, and the samples
 * survive unchanged. 16-bit mono at 16 kHz.
 */
export function flacOf(samples: Buffer): Buffer {
  const numbers = toNumbers(samples).subarray(0, maxSamples);
  const { length } = numbers;
  const info = streamInfo({
    sampleRateHz: speechRateHz,
    smallest: length,
    largest: length,
    samples: length,
  });
  return Buffer.concat([Buffer.from('fLaC'), info, blockOf(numbers, 0)]);
}
