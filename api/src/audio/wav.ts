/** Sound as the engines exchange it: 16-bit samples, little-endian, one channel. */
export interface Pcm {
  sampleRateHz: number;
  samples: Buffer;
}

const headerBytes = 44;

/** A whole WAV file around the sound. */
export function writeWav({ sampleRateHz, samples }: Pcm): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0);
  header.writeUInt32LE(headerBytes - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16); // length of the format chunk
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28); // bytes a second
  header.writeUInt16LE(2, 32); // bytes a frame
  header.writeUInt16LE(16, 34); // bits a sample
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Chunks looked at before the sound must have come: a file of nothing but tiny chunks is no recording. */
const mostChunks = 64;

/**
 * The sound of a WAV file with 16-bit samples and one channel, or null when it is something else. Where the length is missing or wrong, as
 * in a file that was streamed or cut short, the sound goes to the end.
 */
export function readWav(file: Buffer): Pcm | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null;
  let sampleRateHz: number | null = null;
  let at = 12;
  for (let chunk = 0; chunk < mostChunks && at + 8 <= file.length; chunk += 1) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    if (id === 'fmt ') sampleRateHz = rateOfMono16(content);
    if (id === 'data' && sampleRateHz !== null) {
      const samples = size === 0 ? file.subarray(at + 8) : content;
      return { sampleRateHz, samples: samples.subarray(0, samples.length & ~1) };
    }
    at += 8 + size + (size % 2); // chunks begin at even places
  }
  return null;
}

function rateOfMono16(format: Buffer): number | null {
  if (format.length < 16) return null;
  const isMono16 =
    format.readUInt16LE(0) === 1 && format.readUInt16LE(2) === 1 && format.readUInt16LE(14) === 16;
  return isMono16 ? format.readUInt32LE(4) : null;
}
