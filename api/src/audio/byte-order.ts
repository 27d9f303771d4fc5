import { type SampleCoding, sampleCodings } from './sample-coding.ts';

/** Maximum sample pairs to compare: enough for a reliable result, few enough for long recordings. */
const maxPairs = 200_000;
/**
 * Sound in the wrong byte order is nearly white noise: its differences have twice its energy.
 * Measured on 40 speech recordings: 0.03 to 0.19 in the right order, 1.8 and more in the wrong one. With
 * white noise three times as loud as the speech: 1.8 and 2.0.
 */
const clearlySmoother = 0.95;

/**
 * Finds the byte order of an audio/L16 body. RFC 3551 puts the most significant byte first; Google's clients
 * send the least significant one first under the same name. Compares the sound both ways and falls back to
 * the RFC, for example in silence.
 */
export function l16Coding(data: Buffer, channels: number): SampleCoding {
  const { integer16, integer16BigEndian } = sampleCodings;
  const isLittleEndian =
    roughness(data, integer16, channels) < clearlySmoother * roughness(data, integer16BigEndian, channels);
  return isLittleEndian ? integer16 : integer16BigEndian;
}

/**
 * The energy of the differences between neighbouring samples of a channel, relative to the samples' energy.
 */
function roughness(data: Buffer, { bytes, read }: SampleCoding, channels: number): number {
  const frameBytes = channels * bytes;
  const pairs = Math.floor(data.length / frameBytes) - 1;
  const step = Math.max(1, Math.floor(pairs / maxPairs));
  let energy = 0;
  let differences = 0;
  for (let pair = 0; pair < pairs; pair += step) {
    const sample = read(data, pair * frameBytes);
    const next = read(data, (pair + 1) * frameBytes);
    energy += sample ** 2 + next ** 2;
    differences += (next - sample) ** 2;
  }
  return energy === 0 ? 0 : (2 * differences) / energy;
}
