import { toBytes, toNumbers } from './pcm.ts';

/** The coding of a sample: its size in bytes, and how to read it as a 16-bit number. */
export interface SampleCoding {
  bytes: number;
  read: (data: Buffer, at: number) => number;
}

/** Sound as recorded: any rate, interleaved channels, any sample coding. */
export interface RawSound {
  sampleRateHz: number;
  channels: number;
  coding: SampleCoding;
  data: Buffer;
}

export const maxChannels = 8;

export function isUsualRate(sampleRateHz: number): boolean {
  return sampleRateHz >= 4_000 && sampleRateHz <= 192_000;
}

/** All codings that are read without ffmpeg. Precision beyond 16 bits is dropped; speech does not need it. */
export const sampleCodings = {
  unsigned8: { bytes: 1, read: (data, at) => ((data[at] ?? 128) - 128) * 256 },
  integer16: { bytes: 2, read: (data, at) => data.readInt16LE(at) },
  integer16BigEndian: { bytes: 2, read: (data, at) => data.readInt16BE(at) },
  integer24: { bytes: 3, read: (data, at) => data.readInt16LE(at + 1) },
  integer32: { bytes: 4, read: (data, at) => data.readInt16LE(at + 2) },
  float32: { bytes: 4, read: (data, at) => fromFloat(data.readFloatLE(at)) },
  float64: { bytes: 8, read: (data, at) => fromFloat(data.readDoubleLE(at)) },
  aLaw: { bytes: 1, read: (data, at) => fromALaw(data[at] ?? 0) },
  muLaw: { bytes: 1, read: (data, at) => fromMuLaw(data[at] ?? 0) },
} as const satisfies Record<string, SampleCoding>;

/** 1.0 is full scale. Louder samples are clipped, and NaN is silence. */
function fromFloat(value: number): number {
  return Number.isNaN(value) ? 0 : clamp16(value * 32_767);
}

/** ITU-T G.711: sign, three bits of exponent, four of mantissa; every other bit is inverted. */
function fromALaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code >> 4) & 7;
  const mantissa = ((code & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return code & 0x80 ? size : -size;
}

/** ITU-T G.711: all bits are inverted. */
function fromMuLaw(byte: number): number {
  const code = ~byte;
  const size = ((((code & 15) << 3) + 0x84) << ((code >> 4) & 7)) - 0x84;
  return code & 0x80 ? -size : size;
}

export function clamp16(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

/** The number of frames: a frame is one sample of each channel. */
export function countFrames({ channels, coding, data }: RawSound): number {
  return Math.floor(data.length / (channels * coding.bytes));
}

/**
 * Mixes the channels of frames `from` up to `to` (exclusive) into 16-bit samples. Default: the mean of the
 * channels.
 */
export function mixDown(
  { channels, coding, data }: RawSound,
  from: number,
  to: number,
  weights: readonly number[] = Array.from({ length: channels }, () => 1 / channels),
): Int16Array {
  const frameBytes = channels * coding.bytes;
  if (channels === 1 && coding === sampleCodings.integer16) {
    return toNumbers(data.subarray(from * frameBytes, to * frameBytes));
  }
  const mixed = new Int16Array(to - from);
  let at = from * frameBytes;
  for (let frame = 0; frame < mixed.length; frame += 1) {
    let sum = 0;
    for (const weight of weights) {
      sum += weight * coding.read(data, at);
      at += coding.bytes;
    }
    mixed[frame] = clamp16(sum);
  }
  return mixed;
}

/** The whole sound mixed with these weights, half a second at a time. */
export function* channelPieces(sound: RawSound, weights: readonly number[]) {
  const frames = countFrames(sound);
  const length = Math.ceil(sound.sampleRateHz / 2);
  for (let from = 0; from < frames; from += length) {
    yield toBytes(mixDown(sound, from, Math.min(from + length, frames), weights));
  }
}
