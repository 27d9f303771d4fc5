import { readFileSync, writeFileSync } from 'node:fs';
import { Ending } from './ending.ts';
import type { AudioFormat } from './event.ts';
import { gettext } from './gettext.ts';

/** Sound format of this whole program: 16-bit little-endian samples at this rate, one channel. */
export const sampleRateHz = 16_000 satisfies AudioFormat['sample_rate_hz'];
export const bytesPerMs = (2 * sampleRateHz) / 1_000;

/** The sound of a WAV file. */
export function readWavFile(path: string): Buffer {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch (error) {
    throw new Ending(
      gettext('%s cannot be read: %s', path, error instanceof Error ? error.message : String(error)),
    );
  }
  const sound = wavSound(file);
  if (sound) return sound;
  throw new Ending(
    gettext(
      '%s is not a WAV file of 16 kHz, 16 bits and one channel. "%s" converts it.',
      path,
      `ffmpeg -i ${path} -ar ${sampleRateHz} -ac 1 other.wav`,
    ),
  );
}

/** Returns the samples of a WAV file; null if the format is not ours. */
export function wavSound(file: Buffer): Buffer | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null;
  let isOurs = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    if (id === 'fmt ' && content.length >= 16) {
      // PCM, one channel, 16 kHz, 16 bits
      isOurs = [0, 2, 4, 14].map((place) => content.readUInt16LE(place)).join() === `1,1,${sampleRateHz},16`;
    }
    if (id === 'data') return isOurs ? content.subarray(0, content.length & ~1) : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

export function writeWavFile(path: string, samples: Buffer): void {
  try {
    writeFileSync(path, wavOf(samples));
  } catch (error) {
    throw new Ending(
      gettext('%s cannot be written: %s', path, error instanceof Error ? error.message : String(error)),
    );
  }
}

/** A WAV file of these samples. */
export function wavOf(samples: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(2 * sampleRateHz, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
