import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNumbers } from '../../../api/src/audio/pcm.ts';
import { readWav } from '../../../api/src/audio/wav.ts';
import { spokenClip } from '../audio/spoken-clips.ts';

const rateHz = 16_000;

/** Numbers from 0 to 1, identical for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A wake word said by a synthetic voice, with half a second of silence before and after it. */
export function spokenWord(word: 'okay-nabu' | 'hey-jarvis'): Int16Array {
  const sound = readWav(readFileSync(join(import.meta.dirname, `${word}.wav`)));
  if (sound?.sampleRateHz !== rateHz) throw new Error(`${word}.wav is not a WAV of 16 kHz`);
  return toNumbers(sound.samples);
}

function made(ms: number, sample: (n: number) => number): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1_000 }, (_, n) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample(n)))),
  );
}

function mixed(one: Int16Array, other: Int16Array): Int16Array {
  return made((one.length * 1_000) / rateHz, (n) => (one[n] ?? 0) + (other[n] ?? 0));
}

export function inRow(...sounds: readonly Int16Array[]): Int16Array {
  return Int16Array.from(sounds.flatMap((sound) => [...sound]));
}

/** Steady noise; `level`: its loudest sample, relative to 1. */
export function noise(ms: number, { level, seed = 1 }: { level: number; seed?: number }): Int16Array {
  const next = seeded(seed);
  return made(ms, () => (2 * next() - 1) * level * 32_767);
}

const silence = (ms: number) => new Int16Array((ms * rateHz) / 1_000);

/** The sounds that compare the detector with the C library: speech, both words, and artificial sounds. */
export function referenceSounds(): Map<string, Int16Array> {
  const [nabu, jarvis] = [spokenWord('okay-nabu'), spokenWord('hey-jarvis')];
  const clips = (['hello', 'weather', 'stop-stop', 'pause'] as const).map(
    (name) => [name, toNumbers(spokenClip(name))] as const,
  );
  const next = seeded(7);
  return new Map([
    ...clips,
    ['silence', silence(500)],
    ['okay nabu', nabu],
    ['hey jarvis', jarvis],
    ['both words', inRow(nabu, silence(1_000), jarvis, nabu)],
    ['okay nabu in noise', mixed(nabu, noise(2_500, { level: 0.05 }))],
    ['hey jarvis in noise', mixed(jarvis, noise(2_500, { level: 0.05 }))],
    ['okay nabu, soft', nabu.map((sample) => sample / 30)],
    ['hey jarvis, soft', jarvis.map((sample) => sample / 30)],
    ['okay nabu, cut off', made((nabu.length * 1_000) / rateHz, (n) => (nabu[n] ?? 0) * 12)],
    ['noise', noise(1_000, { level: 1, seed: 3 })],
    ['a rising tone', made(1_500, (n) => 30_000 * Math.sin((n * n) / 9_000))],
    ['clicks', made(1_000, (n) => (n % 1_601 === 0 ? 32_767 : 0))],
    ['the lowest number only', made(500, () => -32_768)],
    ['a square of full height', made(1_000, (n) => (n % 32 < 16 ? 32_767 : -32_768))],
    ['steps of loudness', made(2_000, (n) => (2 * next() - 1) * 4 ** Math.floor(n / 4_000))],
  ]);
}
