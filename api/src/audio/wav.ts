import { bytesPerSample, type Pcm } from './pcm.ts';
import {
  isUsualRate,
  maxChannels,
  type RawSound,
  type SampleCoding,
  sampleCodings,
} from './sample-coding.ts';

const headerBytes = 44;

/** Wraps sound in a WAV file. */
export function writeWav({ sampleRateHz, samples }: Pcm): Buffer {
  return Buffer.concat([headerOf(sampleRateHz, samples.length), samples]);
}

/** The header of a WAV file of unknown length. Readers treat this length as "to the end". */
export function streamedWavHeader(sampleRateHz: number): Buffer {
  return headerOf(sampleRateHz, lengthElsewhere);
}

function headerOf(sampleRateHz: number, soundBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0);
  header.writeUInt32LE(Math.min(headerBytes - 8 + soundBytes, lengthElsewhere), 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16); // length of the format chunk
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * bytesPerSample, 28); // bytes a second
  header.writeUInt16LE(bytesPerSample, 32); // bytes a frame
  header.writeUInt16LE(8 * bytesPerSample, 34); // bits a sample
  header.write('data', 36);
  header.writeUInt32LE(soundBytes, 40);
  return header;
}

/** The sound of a WAV file as the engines write it, 16 bits and mono; null for any other. */
export function readWav(file: Buffer): Pcm | null {
  const sound = readAnyWav(file);
  if (sound === null || sound.channels !== 1 || sound.coding !== sampleCodings.integer16) return null;
  const { sampleRateHz, data } = sound;
  return { sampleRateHz, samples: data.subarray(0, data.length - (data.length % bytesPerSample)) };
}

/** Maximum chunks before the sound: a file with more is not a recording. */
const maxChunks = 64;
/** A 32-bit length that means "unknown", or "see chunk `ds64`" in files that may be larger than 4 GB. */
const lengthElsewhere = 0xffffffff;

/**
 * The sound of a WAV file with uncompressed samples of any kind; null for any other. If the length is missing
 * or wrong, as in a streamed or truncated file, the sound goes to the end.
 */
export function readAnyWav(file: Buffer): RawSound | null {
  let format: Omit<RawSound, 'data'> | null = null;
  let longBytes = 0;
  for (const { id, size, content } of chunksOf(file)) {
    if (id === 'ds64' && content.length >= 16) longBytes = Number(content.readBigUInt64LE(8));
    if (id === 'fmt ') format = readFormat(content);
    if (id !== 'data' || format === null) continue;
    const known = size === lengthElsewhere ? longBytes : size;
    return { ...format, data: known === 0 ? content : content.subarray(0, known) };
  }
  return null;
}

/** The length that the header of a WAV states, in seconds. Null: it is none, or it states no length. */
export function statedSeconds(file: Buffer): number | null {
  let [rateHz, bytesPerSecond, frames] = [0, 0, 0];
  for (const { id, size, content } of chunksOf(file)) {
    if (id === 'fmt ' && content.length >= 12)
      [rateHz, bytesPerSecond] = [content.readUInt32LE(4), content.readUInt32LE(8)];
    if (id === 'fact' && content.length >= 4) frames = content.readUInt32LE(0) % lengthElsewhere;
    if (id !== 'data') continue;
    const lengths = [frames / rateHz, Math.min(size, content.length) / bytesPerSecond];
    const known = lengths.filter((seconds) => seconds > 0 && Number.isFinite(seconds));
    return known.length > 0 ? Math.min(...known) : null;
  }
  return null;
}

/** Each chunk with its declared length and everything from its content to the end of the file. */
function* chunksOf(file: Buffer) {
  const isWav = /^R(IFF|F64)....WAVE/s.test(file.toString('latin1', 0, 12));
  let at = 12;
  for (let chunk = 0; isWav && chunk < maxChunks && at + 8 <= file.length; chunk += 1) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    yield { id, size, content: file.subarray(at + 8) };
    at += 8 + size + (size % 2); // chunks begin at even places
  }
}

const extensible = 0xfffe;
const { unsigned8, integer16, integer24, integer32, float32, float64, aLaw, muLaw } = sampleCodings;
const codingsByKind: ReadonlyMap<number, readonly SampleCoding[]> = new Map([
  [1, [unsigned8, integer16, integer24, integer32]],
  [3, [float32, float64]],
  [6, [aLaw]],
  [7, [muLaw]],
]);

/** Null: compressed or not a voice recording. */
function readFormat(format: Buffer): Omit<RawSound, 'data'> | null {
  if (format.length < 16) return null;
  const written = format.readUInt16LE(0);
  // The extensible form starts its long identifier with the kind of samples.
  const kind = written === extensible && format.length >= 26 ? format.readUInt16LE(24) : written;
  const channels = format.readUInt16LE(2);
  const sampleRateHz = format.readUInt32LE(4);
  const coding = codingOf(kind, Math.ceil(format.readUInt16LE(14) / 8));
  if (coding === null || channels < 1 || channels > maxChannels || !isUsualRate(sampleRateHz)) return null;
  return { sampleRateHz, channels, coding };
}

/** Samples of 20 bits fill the upper bits of 3 bytes, so only the number of bytes counts. */
function codingOf(kind: number, bytes: number): SampleCoding | null {
  return codingsByKind.get(kind)?.find((coding) => coding.bytes === bytes) ?? null;
}
