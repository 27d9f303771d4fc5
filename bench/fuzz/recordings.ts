import { execFileSync } from 'node:child_process';
import { writeWav } from '../../api/src/audio/wav.ts';
import { spokenClip } from '../../tests/support/audio/spoken-clips.ts';

/** Names and ffmpeg arguments of the recording formats. */
const formats: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
  ogg: ['-c:a', 'libopus', '-f', 'ogg'],
  webm: ['-c:a', 'libopus', '-f', 'webm'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  aac: ['-c:a', 'aac', '-f', 'adts'],
  m4a: ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'],
  mkv: ['-c:a', 'aac', '-f', 'matroska'],
  aiff: ['-f', 'aiff'],
  caf: ['-f', 'caf'],
};

/** One spoken question as every format that this ffmpeg can write. */
export function goodRecordings(ffmpeg: string): ReadonlyMap<string, Buffer> {
  const wav = writeWav({ sampleRateHz: 16_000, samples: spokenClip('weather') });
  const all = new Map([['wav', wav]]);
  for (const [name, args] of Object.entries(formats)) {
    const command = ['-v', 'error', '-f', 'wav', '-i', 'pipe:0', ...args, 'pipe:1'];
    all.set(name, execFileSync(ffmpeg, command, { input: wav, maxBuffer: 1 << 24 }));
  }
  return all;
}

/** Park and Miller's minimal standard generator: the same numbers every time. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type Mutation = (bytes: Buffer, random: () => number) => Buffer;

const place = (bytes: Buffer, random: () => number): number => Math.floor(random() * bytes.length);
/** Headers stand at the beginning, so half of all changes go there. */
const likelyPlace: (bytes: Buffer, random: () => number) => number = (bytes, random) =>
  random() < 0.5 ? place(bytes.subarray(0, 256), random) : place(bytes, random);

const mutations: readonly Mutation[] = [
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let times = 1 + Math.floor(random() * 20); times > 0; times -= 1) {
      changed[likelyPlace(changed, random)] = Math.floor(random() * 256);
    }
    return changed;
  },
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => bytes.subarray(place(bytes, random)),
  (bytes, random) => {
    const [from, length] = [likelyPlace(bytes, random), Math.floor(random() * 4_000)];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  },
  (bytes, random) => {
    const from = likelyPlace(bytes, random);
    const piece = bytes.subarray(from, from + Math.floor(random() * 4_000));
    return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from)]);
  },
  // Sizes and counts in headers: the largest and the smallest numbers.
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = Math.min(likelyPlace(changed, random), Math.max(0, changed.length - 4));
    if (changed.length >= 4)
      changed.writeUInt32LE([0, 1, 0x7fff_ffff, 0xffff_ffff][Math.floor(random() * 4)] ?? 0, at);
    return changed;
  },
];

/** A recording with a random defect. */
export function mutated(bytes: Buffer, random: () => number): Buffer {
  const mutate = mutations[Math.floor(random() * mutations.length)];
  return mutate ? mutate(bytes, random) : bytes;
}
