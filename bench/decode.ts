import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createDecoder } from '../api/src/audio/decode.ts';
import { durationMs } from '../api/src/audio/pcm.ts';
import {
  canRecord,
  clipFile,
  equalWeights,
  ffmpegPath,
  formats,
  layOut,
  record,
} from '../tests/support/audio/recordings.ts';
import { alternate, roundTo, type Summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';

const runFile = promisify(execFile);
const how = { callers: 1, rounds: 12, callsInRow: 1 };
/** The clip, repeated to the length of a long question. */
const repeats = 5;

interface Measured {
  format: string;
  plain: Summary;
  decode: Summary;
}

/**
 * The time to read a recording, beside a plain ffmpeg that reads the same file. FFMPEG names the program that
 * both use.
 */
export const decodePart: Part = {
  name: 'decode',
  async run() {
    if (!canRecord) {
      return { text: 'Recordings: skipped, no ffmpeg here can make them', figures: null, missed: [] };
    }
    const recordings = await recordAll();
    const laidOut = await layOut(Object.fromEntries(recordings));
    try {
      const measured: Measured[] = [];
      let seconds = 0;
      for (const [format, bytes] of recordings) {
        const ways = [plainWay(laidOut.path(format)), await decodeWay(bytes)];
        const [plain, decode] = await alternate(ways, how);
        if (plain && decode) measured.push({ format, plain, decode });
        seconds ||= await secondsOf(bytes);
      }
      return report(measured, seconds);
    } finally {
      await laidOut.remove();
    }
  },
};

async function recordAll(): Promise<[string, Buffer][]> {
  const input = ['-stream_loop', String(repeats), '-i', clipFile('weather')];
  const recordings: [string, Buffer][] = [];
  for (const [format, output] of Object.entries(formats)) {
    recordings.push([format, await record(input, output)]);
  }
  return recordings;
}

const decoder = () =>
  createDecoder({ ffmpegPath, maxSeconds: 120, maxAtOnce: 2, weighChannels: equalWeights });
const within = () => AbortSignal.timeout(15_000);

async function secondsOf(bytes: Buffer): Promise<number> {
  return durationMs(await decoder().decode(bytes, undefined, within())) / 1_000;
}

async function decodeWay(bytes: Buffer) {
  const { decode } = decoder();
  await decode(bytes, undefined, within());
  return async () => {
    await decode(bytes, undefined, within());
  };
}

/** From a pipe, because the image's ffmpeg reads no files. */
function plainWay(file: string) {
  const args =
    '-loglevel error -nostdin -read_ahead_limit -1 -i cache:pipe:0 -ac 1 -ar 16000 -f s16le pipe:1'.split(
      ' ',
    );
  const command = ['-c', 'file="$1"; shift; exec "$0" "$@" <"$file"', ffmpegPath, file, ...args];
  return async () => {
    await runFile('/bin/sh', command, { encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 });
  };
}

function report(measured: readonly Measured[], seconds: number): Findings {
  const ms = (value: number) => roundTo(value, 1).toFixed(1);
  const rows = measured.map(({ format, plain, decode }) => [
    format,
    ms(plain.medianMs),
    ms(decode.medianMs),
    (decode.medianMs / plain.medianMs).toFixed(2),
  ]);
  return {
    text: `Reading ${seconds.toFixed(1)} s of sound, medians in ms (${ffmpegPath})\n${table([['format', 'plain ffmpeg', 'Hearth', 'ratio'], ...rows])}`,
    figures: { ffmpeg: ffmpegPath, seconds: roundTo(seconds, 2), formats: measured },
    missed: [],
  };
}
