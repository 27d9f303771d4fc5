import { bytesPerSample, durationMs, type Pcm, toNumbers } from './pcm.ts';

interface PieceLimits {
  /** Maximum length of a piece. */
  maxMs: number;
  /** Minimum length of every piece except the last. */
  minMs: number;
}

/** A part of a sound and its start. */
interface CutPiece {
  sound: Pcm;
  fromMs: number;
}

/** Short enough for the pause between two words, long enough to skip the closure of a "t". */
const stretchMs = 200;
const stepMs = 20;

/** Cuts a sound into pieces where it is quietest. A short sound stays whole. */
export function* cutAtPauses(sound: Pcm, { maxMs, minMs }: PieceLimits): Generator<CutPiece> {
  const { sampleRateHz } = sound;
  const bytesOf = (ms: number) => Math.round((ms * sampleRateHz) / 1_000) * bytesPerSample;
  let rest = sound;
  let fromMs = 0;
  while (durationMs(rest) > maxMs) {
    const window = { ...sound, samples: rest.samples.subarray(bytesOf(minMs), bytesOf(maxMs)) };
    const at = bytesOf(minMs) + bytesOf(quietestMs(window));
    const piece = { sampleRateHz, samples: rest.samples.subarray(0, at) };
    yield { sound: piece, fromMs };
    fromMs += durationMs(piece);
    rest = { sampleRateHz, samples: rest.samples.subarray(at) };
  }
  yield { sound: rest, fromMs };
}

/** The middle of the quietest stretch, in ms from the start. */
function quietestMs({ samples, sampleRateHz }: Pcm): number {
  const numbers = toNumbers(samples);
  const step = Math.round((stepMs * sampleRateHz) / 1_000);
  const energies: number[] = [];
  for (let at = 0; at + step <= numbers.length; at += step) {
    let energy = 0;
    for (const number of numbers.subarray(at, at + step)) energy += number * number;
    energies.push(energy);
  }
  const steps = stretchMs / stepMs;
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let first = 0; first + steps <= energies.length; first += 1) {
    const energy = energies.slice(first, first + steps).reduce((sum, each) => sum + each, 0);
    if (energy < least) [best, least] = [first, energy];
  }
  return best * stepMs + stretchMs / 2;
}
