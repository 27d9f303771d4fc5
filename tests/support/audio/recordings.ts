import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type ChannelWeigher,
  equalWeights as equalWeightsOf,
} from '../../../api/src/audio/channel-weights.ts';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { readWav } from '../../../api/src/audio/wav.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** An ffmpeg that can write every format: the one of `make run`. */
const [fullFfmpeg] = globSync(join(root, '.venv/lib/*/site-packages/imageio_ffmpeg/binaries/ffmpeg-*'));

export const canRecord = fullFfmpeg !== undefined;
/** The ffmpeg that reads; FFMPEG names another, such as the image's. */
export const ffmpegPath = process.env['FFMPEG'] ?? fullFfmpeg ?? 'ffmpeg';

/** A spoken clip: "hello" is 0.6 s, "weather" 1.5 s, both 16 kHz. */
export function clip(name: 'hello' | 'weather'): Pcm {
  const sound = readWav(readFileSync(join(root, 'services/stt/tests/clips', `${name}.wav`)));
  if (!sound) throw new Error(`the clip ${name} is not a WAV`);
  return sound;
}

export function clipFile(name: 'hello' | 'weather'): string {
  return join(root, 'services/stt/tests/clips', `${name}.wav`);
}

/** Runs the ffmpeg that can do everything, with nothing forbidden. */
export async function fullFfmpegOutput(...args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run(fullFfmpeg ?? 'ffmpeg', ['-hide_banner', '-loglevel', 'error', ...args], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 20_000,
  });
  return stdout;
}

/**
 * A recording as ffmpeg writes it: `input` and `output` are its options, the last of `output` the file's
 * name.
 */
export async function record(input: readonly string[], output: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-recording-'));
  try {
    const file = join(folder, output.at(-1) ?? 'recording');
    await fullFfmpegOutput(...input, ...output.slice(0, -1), '-y', file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder for a test's files, and a function that removes it. */
export async function layOut(files: Readonly<Record<string, Buffer>>) {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-laid-out-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return {
    path: (name: string) => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const amr = ['-ar', '8000', '-ac', '1', '-c:a', 'libopencore_amrnb'];

/** The formats that phones, browsers and programs send: the options that make each of them from one clip. */
export const formats: Readonly<Record<string, readonly string[]>> = {
  'Ogg with Opus': ['-c:a', 'libopus', 'a.ogg'],
  'Ogg with Vorbis': ['-c:a', 'libvorbis', 'a.ogg'],
  MP3: ['a.mp3'],
  'M4A with its index at the end': ['a.m4a'],
  'M4A with its index first': ['-movflags', '+faststart', 'a.m4a'],
  'M4A without loss': ['-c:a', 'alac', 'a.m4a'],
  'MP4 with Opus': ['-c:a', 'libopus', 'a.mp4'],
  MOV: ['a.mov'],
  '3GP with AMR': [...amr, 'a.3gp'],
  WebM: ['-c:a', 'libopus', 'a.webm'],
  Matroska: ['-c:a', 'flac', 'a.mka'],
  FLAC: ['a.flac'],
  AAC: ['a.aac'],
  AMR: [...amr, 'a.amr'],
  AIFF: ['a.aiff'],
  CAF: ['a.caf'],
  AU: ['a.au'],
  'WAV of 8 kHz': ['-ar', '8000', 'a.wav'],
  'WAV of 44.1 kHz in stereo': ['-ar', '44100', '-ac', '2', 'a.wav'],
  'WAV of 48 kHz on six channels': ['-ar', '48000', '-ac', '6', 'a.wav'],
  'WAV of 24 bits': ['-c:a', 'pcm_s24le', 'a.wav'],
  'WAV of floats': ['-c:a', 'pcm_f32le', 'a.wav'],
  'WAV of A-law': ['-ar', '8000', '-c:a', 'pcm_alaw', 'a.wav'],
  'WAV of mu-law': ['-ar', '8000', '-c:a', 'pcm_mulaw', 'a.wav'],
  'WAV with ADPCM': ['-c:a', 'adpcm_ms', 'a.wav'],
  'WAV with IMA ADPCM': ['-c:a', 'adpcm_ima_wav', 'a.wav'],
  'WAV with MP3': ['-c:a', 'libmp3lame', 'a.wav'],
  'WAV with FLAC': ['-c:a', 'flac', 'a.wav'],
  RF64: ['-rf64', 'always', 'a.wav'],
};

/** Weighs the channels of a recording without the voice detection. */
export const equalWeights: ChannelWeigher = async (sound) => equalWeightsOf(sound);
