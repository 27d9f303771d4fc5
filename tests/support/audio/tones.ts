import { type Pcm, toBytes, toNumbers } from '../../../api/src/audio/pcm.ts';

interface ToneOptions {
  sampleRateHz?: number;
  ms?: number;
  /** Peak sample value. */
  height?: number;
}

/** A pure tone. */
export function tone(
  hz: number,
  { sampleRateHz = 16_000, ms = 1_000, height = 16_000 }: ToneOptions = {},
): Pcm {
  const numbers = Int16Array.from({ length: Math.round((sampleRateHz * ms) / 1_000) }, (_, n) =>
    Math.round(height * Math.sin((2 * Math.PI * hz * n) / sampleRateHz)),
  );
  return { sampleRateHz, samples: toBytes(numbers) };
}

export function quiet(ms: number, sampleRateHz = 16_000): Pcm {
  return { sampleRateHz, samples: Buffer.alloc(Math.round((sampleRateHz * ms) / 1_000) * 2) };
}

/** Joins sounds of one sample rate. */
export function inRow(...sounds: readonly Pcm[]): Pcm {
  const sampleRateHz = sounds[0]?.sampleRateHz ?? 16_000;
  return { sampleRateHz, samples: Buffer.concat(sounds.map(({ samples }) => samples)) };
}

/** Root mean square of the middle part, which the edges do not affect. */
export function loudness({ sampleRateHz, samples }: Pcm): number {
  const edge = Math.round(sampleRateHz / 20);
  const middle = toNumbers(samples).slice(edge, -edge);
  return Math.sqrt(middle.reduce((sum, number) => sum + number * number, 0) / middle.length);
}

/**
 * Similarity of two sounds of one sample rate, from 0; 1 means equal apart from loudness. It tries shifts of
 * up to 80 ms each way.
 */
export function likeness(one: Pcm, other: Pcm): number {
  const [a, b] = [toNumbers(one.samples), toNumbers(other.samples)];
  const reach = Math.round(one.sampleRateHz * 0.08);
  let best = 0;
  for (let shift = -reach; shift <= reach; shift += 1) best = Math.max(best, likenessAt(a, b, shift));
  return best;
}

/** Comparing every third sample is accurate enough and takes a third of the time. */
const stride = 3;

function likenessAt(a: Int16Array, b: Int16Array, shift: number): number {
  let [both, ofA, ofB] = [0, 0, 0];
  for (let n = Math.max(0, -shift); n < Math.min(a.length, b.length - shift); n += stride) {
    const [x = 0, y = 0] = [a[n], b[n + shift]];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return both / Math.sqrt(ofA * ofB || 1);
}
