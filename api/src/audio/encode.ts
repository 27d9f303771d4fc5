import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { withSampleCount } from './flac-stream.ts';
import { bytesPerSample } from './pcm.ts';
import type { Sandbox } from './run-program.ts';
import { runProgram } from './run-program.ts';
import { findSandbox } from './sandbox.ts';
import { streamedWavHeader, writeWav } from './wav.ts';

/** OpenAI's speech rate. Clients that ask for headerless sound assume it. */
export const encodedRateHz = 24_000;

const soundFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SoundFormat = (typeof soundFormats)[number];

/** The encoder and its voice settings for each ffmpeg format. */
const encodings = {
  mp3: { encoder: 'libmp3lame', as: '-b:a 96k -write_xing 0 -id3v2_version 0 -f mp3' },
  // In Ogg, with a page every 100 ms: the default of one second would delay playback by a second.
  opus: { encoder: 'libopus', as: '-b:a 48k -page_duration 100000 -f ogg' },
  aac: { encoder: 'aac', as: '-b:a 96k -f adts' },
  flac: { encoder: 'flac', as: '-f flac' },
} as const;
type MadeByProgram = keyof typeof encodings;

const probeMs = 10_000;
const maxProbeBytes = 1024 * 1024;

interface EncoderOptions {
  /** The program that encodes all formats except WAV and raw PCM. */
  ffmpegPath: string;
}

/** 16-bit mono sound at `encodedRateHz`, in playback order. */
interface SoundToEncode {
  samples: AsyncIterable<Buffer>;
  /** There is only one piece, so a WAV or FLAC can contain its length. */
  isOnePiece: boolean;
  signal: AbortSignal;
}

export type Encoder = ReturnType<typeof createEncoder>;

/** Encodes sound to files while the sound is produced. */
export function createEncoder({ ffmpegPath: path }: EncoderOptions) {
  let sandbox: Promise<Sandbox> | undefined;
  let able: Promise<readonly SoundFormat[]> | undefined;
  const confined = () => {
    sandbox ??= findSandbox({ path, probe: ['-version'] });
    return sandbox;
  };

  return {
    /** The formats that can be encoded here. */
    async able(): Promise<readonly SoundFormat[]> {
      able ??= confined().then((found) => formatsOf(path, found));
      const formats = await able;
      // On a busy machine the query may have failed: repeat it next time.
      if (!formats.some(isMade)) able = undefined;
      return formats;
    },

    /** Streams the bytes of the file. An error in the samples becomes an error of the stream. */
    async encode(format: SoundFormat, sound: SoundToEncode): Promise<Readable> {
      if (format === 'pcm') return Readable.from(sound.samples, { signal: sound.signal });
      if (format === 'wav') return Readable.from(wavOf(sound), { signal: sound.signal });
      const program = { path, sandbox: await confined(), format };
      if (format === 'flac' && sound.isOnePiece) return wholeFlac(program, sound);
      return byProgram(program, sound);
    },
  };
}

async function* wavOf({ samples, isOnePiece }: SoundToEncode) {
  let isFirst = true;
  for await (const piece of samples) {
    if (isFirst && isOnePiece) yield writeWav({ sampleRateHz: encodedRateHz, samples: piece });
    else yield isFirst ? Buffer.concat([streamedWavHeader(encodedRateHz), piece]) : piece;
    isFirst = false;
  }
}

/** ffmpeg cannot seek back in a pipe to write the length. Here it is known in advance. */
async function wholeFlac(program: Program, { samples, ...sound }: SoundToEncode): Promise<Readable> {
  const all = await buffer(samples);
  const file = byProgram(program, { ...sound, samples: Readable.from([all]) });
  return Readable.from(withSampleCount(file, all.length / bytesPerSample), { signal: sound.signal });
}

interface Program {
  path: string;
  sandbox: Sandbox;
  format: MadeByProgram;
}

function byProgram({ path, sandbox, format }: Program, { samples, signal }: SoundToEncode): Readable {
  const { encoder, as } = encodings[format];
  const input = `-f s16le -ar ${encodedRateHz} -ac 1 -probesize 32 -analyzeduration 0 -i pipe:0`;
  const general = '-hide_banner -loglevel quiet -nostdin -threads 1';
  const output = `-map_metadata -1 -c:a ${encoder} ${as} -flush_packets 1 pipe:1`;
  const args = `${general} ${input} ${output}`.split(' ');
  const [program = path, ...words] = [...sandbox.prefix, path, ...args];
  const child = spawn(program, words, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  const { stdin, stdout } = child;
  const fail = (error: unknown) => stdout.destroy(error instanceof Error ? error : new Error(String(error)));
  pipeline(Readable.from(samples), stdin, { signal }).catch(fail);
  endWith(child, stdout, signal);
  return stdout;
}

/** Stops the program with the reader of its output, and turns its failure into an error of the output. */
function endWith(child: ChildProcess, output: Readable, signal: AbortSignal): void {
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  output.once('close', end);
  child.once('error', (error) => output.destroy(error));
  child.once('exit', (code) => {
    signal.removeEventListener('abort', end);
    if (code !== 0) output.destroy(new Error(`ffmpeg ended with ${code}`));
  });
}

async function formatsOf(path: string, sandbox: Sandbox): Promise<readonly SoundFormat[]> {
  const call = { path, args: ['-hide_banner', '-encoders'], sandbox, maxOutputBytes: maxProbeBytes };
  const limits = { timeoutMs: probeMs, signal: new AbortController().signal };
  const encoderList = await runProgram({ ...call, ...limits }).then(
    ({ output }) => output.toString(),
    () => '',
  );
  // " A....D libmp3lame           libmp3lame MP3 (MPEG audio layer 3) (codec mp3)"
  const there = new Set(encoderList.split('\n').map((line) => line.trim().split(/\s+/)[1]));
  return soundFormats.filter((format) => !isMade(format) || there.has(encodings[format].encoder));
}

function isMade(format: SoundFormat): format is MadeByProgram {
  return Object.hasOwn(encodings, format);
}
