interface WavShape {
  /** 1: integers, 3: floats, 6: A-law, 7: mu-law. */
  kind?: number;
  channels?: number;
  sampleRateHz?: number;
  bits?: number;
  /** Uses the extensible format, which many channels or bits require. */
  isExtensible?: boolean;
  data: Buffer;
}

/** Builds a WAV file of any shape, as other programs write them. */
export function wavFile(shape: WavShape): Buffer {
  const chunks = [chunk('fmt ', formatOf(shape)), chunk('data', shape.data)];
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
  return chunk('RIFF', body);
}

/** The same for files that may exceed 4 GB: a separate chunk holds their lengths. */
export function longWavFile(shape: WavShape, after: Buffer = Buffer.alloc(0)): Buffer {
  const lengths = Buffer.alloc(28);
  lengths.writeBigUInt64LE(BigInt(shape.data.length), 8);
  const data = unknownLength(chunk('data', shape.data));
  const chunks = [chunk('ds64', lengths), chunk('fmt ', formatOf(shape)), data, after];
  return unknownLength(chunk('RF64', Buffer.concat([Buffer.from('WAVE'), ...chunks])));
}

/** A chunk as recorders write it while its length is still unknown. */
export function unknownLength(written: Buffer, length = 0xffffffff): Buffer {
  const copy = Buffer.from(written);
  copy.writeUInt32LE(length, 4);
  return copy;
}

export function chunk(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function formatOf({
  kind = 1,
  channels = 1,
  sampleRateHz = 16_000,
  bits = 16,
  isExtensible,
}: WavShape): Buffer {
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  const frameBytes = channels * Math.ceil(bits / 8);
  format.writeUInt16LE(isExtensible ? 0xfffe : kind, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE(sampleRateHz * frameBytes, 8);
  format.writeUInt16LE(frameBytes, 12);
  format.writeUInt16LE(bits, 14);
  if (isExtensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(kind, 24);
    format.write('000000001000800000aa00389b71', 26, 'hex');
  }
  return format;
}
