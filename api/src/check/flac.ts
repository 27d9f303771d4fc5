import { blockOf, streamInfo } from '../audio/flac-stream.ts';
import { toNumbers } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';

/** One block holds it all. */
const maxSamples = 65_535;

/**
 * Sound as a FLAC file without compression (RFC 9639): the smallest file that no part of ours can read without ffmpeg, and that comes back
 * sample by sample as it was. 16 kHz, 16 bit, one channel.
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
