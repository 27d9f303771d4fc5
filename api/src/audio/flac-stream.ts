import { toNumbers } from './pcm.ts';

/** Samples of one block: 24 ms at 48 kHz, for low delay. */
const blockSamples = 1_152;
const bitsPerSample = 16;
const verbatim = 0b0000_0010;
/** In a block's header: 16 bit and one channel, as in the stream's. */
const channelsAndBits = 0b0000_1000;

/**
 * Encodes sound as FLAC while it is produced (RFC 9639): 16 bit, mono, uncompressed. It needs no program and
 * little CPU, and sends each block as soon as it is full.
 */
export function createFlacStream({ sampleRateHz }: { sampleRateHz: number }) {
  let held: Int16Array = new Int16Array(0);
  let blocks = 0;
  let hasHeader = false;

  const block = (samples: Int16Array): Buffer => {
    const bytes = blockOf(samples, blocks);
    blocks += 1;
    return bytes;
  };
  const header = (): Buffer[] => {
    if (hasHeader) return [];
    hasHeader = true;
    return [streamHeader(sampleRateHz)];
  };

  return {
    push(pcm: Buffer): Buffer {
      const all = joined(held, toNumbers(pcm));
      const whole = all.length - (all.length % blockSamples);
      const made = header();
      for (let at = 0; at < whole; at += blockSamples) made.push(block(all.subarray(at, at + blockSamples)));
      held = all.slice(whole);
      return Buffer.concat(made);
    },
    end(): Buffer {
      return Buffer.concat([...header(), ...(held.length > 0 ? [block(held)] : [])]);
    },
  };
}

function joined(one: Int16Array, other: Int16Array): Int16Array {
  const all = new Int16Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** The total length is not known yet: 0 samples means that. */
function streamHeader(sampleRateHz: number): Buffer {
  return Buffer.concat([
    Buffer.from('fLaC'),
    streamInfo({ sampleRateHz, smallest: blockSamples, largest: blockSamples, samples: 0 }),
  ]);
}

/** Offset of the lower 32 bits of the sample count in a FLAC file whose metadata begins with STREAMINFO. */
const sampleCountAt = 22;

/** Writes the sample count into the header of a FLAC file that arrives in chunks of any size. */
export async function* withSampleCount(file: AsyncIterable<Buffer>, samples: number) {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of file) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < sampleCountAt + 4) continue;
    head.writeUInt32BE(samples, sampleCountAt);
    yield head;
    head = null;
  }
  if (head?.length) yield head;
}

interface StreamInfo {
  sampleRateHz: number;
  smallest: number;
  largest: number;
  samples: number;
}

/** The only metadata block, with its header. */
export function streamInfo({ sampleRateHz, smallest, largest, samples }: StreamInfo): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(smallest, 0);
  info.writeUInt16BE(largest, 2);
  // 20 bits rate, 3 bits channels - 1, 5 bits sample size - 1, 36 bits sample count.
  info.writeUInt32BE(((sampleRateHz << 12) | ((bitsPerSample - 1) << 4)) >>> 0, 10);
  info.writeUInt32BE(samples, 14);
  return Buffer.concat([Buffer.from([0x80, 0, 0, info.length]), info]);
}

/** One block with its sequence number. The size is explicit, because the last block is shorter. */
export function blockOf(samples: Int16Array, number: number): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(samples.length - 1);
  const header = Buffer.concat([
    Buffer.from([0xff, 0xf8, 0b0111_0000, channelsAndBits]),
    numberBytes(number),
    size,
  ]);
  const body = Buffer.alloc(1 + samples.length * 2);
  body[0] = verbatim;
  for (let at = 0; at < samples.length; at += 1) body.writeInt16BE(samples[at] ?? 0, 1 + at * 2);
  const frame = Buffer.concat([header, Buffer.from([crc8(header)]), body]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc16(frame));
  return Buffer.concat([frame, check]);
}

/** Encodes a number like a UTF-8 character, which FLAC extends to 31 bits. A day of sound needs 22. */
function numberBytes(number: number): Buffer {
  if (number < 0x80) return Buffer.from([number]);
  const tail: number[] = [];
  let rest = number;
  for (let room = 0x20; rest >= room; room >>= 1) {
    tail.unshift(0x80 | (rest & 0x3f));
    rest >>>= 6;
    if (rest < room) return Buffer.from([(0x100 - room * 2) | rest, ...tail]);
  }
  return Buffer.from([rest, ...tail]);
}

const table = (bits: number, polynomial: number): Uint16Array =>
  Uint16Array.from({ length: 256 }, (_none, byte) => {
    const top = 1 << (bits - 1);
    let crc = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & top ? (crc << 1) ^ polynomial : crc << 1;
    return crc & (2 ** bits - 1);
  });
const table8 = table(8, 0x07);
const table16 = table(16, 0x8005);

function crc8(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = table8[crc ^ byte] ?? 0;
  return crc;
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xff00) ^ (table16[((crc >> 8) ^ byte) & 0xff] ?? 0);
  return crc;
}
