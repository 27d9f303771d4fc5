import { toNumbers } from '../audio/pcm.ts';
import { speechRateHz } from '../audio/speech-rate.ts';

/** One block holds it all. */
const mostSamples = 65_535;

/**
 * Sound as a FLAC file without compression (RFC 9639): the smallest file that no part of ours can read without ffmpeg, and that comes back
 * sample by sample as it was. 16 kHz, 16 bit, one channel.
 */
export function flacOf(samples: Buffer): Buffer {
  const numbers = toNumbers(samples).subarray(0, mostSamples);
  const count = numbers.length;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(count, 0); // smallest block
  info.writeUInt16BE(count, 2); // largest block
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, 36 of how many samples.
  info.writeUInt32BE(((speechRateHz << 12) | (0 << 9) | (15 << 4)) >>> 0, 10);
  info.writeUInt32BE(count, 14);

  const header = Buffer.from([0xff, 0xf8, 0b0111_0000 | 0b0101, 0b0000_1000, 0, 0, 0]);
  header.writeUInt16BE(count - 1, 5);
  const body = Buffer.alloc(1 + count * 2);
  body[0] = 0b0000_0010; // verbatim
  for (const [at, number] of numbers.entries()) body.writeInt16BE(number, 1 + at * 2);
  const frame = Buffer.concat([header, Buffer.from([crc8(header)]), body]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(crc16(frame));
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, info.length]), info, frame, end]);
}

function crc8(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1) & 0xff;
  }
  return crc;
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1) & 0xffff;
  }
  return crc;
}
