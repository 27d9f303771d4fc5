import { bytesPerSample, type Pcm, toBytes, toNumbers } from './pcm.ts';
import { resample } from './resample.ts';
import { speechRateHz } from './speech-rate.ts';

/** The sound of one sentence, and the pause after it. */
interface SpeechPiece {
  sound: Pcm;
  pauseMs: number;
}

/**
 * A voice puts silence of varying length around each sentence. This much of it stays, for breath and echo.
 */
const keptSilenceMs = { before: 20, after: 60 };
/** Sound below this is silence: -50 dB of full scale. */
const silenceLevel = 100;
/** Length of the fades at the edges: a cut in the middle of a swing would click. */
const fadeMs = 5;

/**
 * Joins sentences into one sound: trims the silence around each, fades the edges, adds the pauses. Converts
 * all to the rate of the first piece.
 */
export async function joinSpeech(pieces: readonly SpeechPiece[]): Promise<Pcm> {
  const sampleRateHz = pieces[0]?.sound.sampleRateHz ?? speechRateHz;
  const joined: Buffer[] = [];
  for (const [index, { sound, pauseMs }] of pieces.entries()) {
    joined.push(tidy(await resample(sound, sampleRateHz)));
    // The last word has no pause after it.
    if (index < pieces.length - 1) joined.push(silence(sampleRateHz, pauseMs));
  }
  return { sampleRateHz, samples: Buffer.concat(joined) };
}

/** Removes the silence at the start. Piper begins 40 to 55 ms late, and a person waits for the first word. */
export function startingAtOnce({ sampleRateHz, samples }: Pcm): Pcm {
  const first = toNumbers(samples).findIndex(isAudible);
  const from = Math.max(0, first - samplesIn(keptSilenceMs.before, sampleRateHz));
  return { sampleRateHz, samples: samples.subarray(from * bytesPerSample) };
}

function isAudible(number: number): boolean {
  return Math.abs(number) > silenceLevel;
}

function tidy({ sampleRateHz, samples }: Pcm): Buffer {
  const numbers = toNumbers(samples);
  const first = numbers.findIndex(isAudible);
  if (first < 0) return Buffer.alloc(0);
  const from = Math.max(0, first - samplesIn(keptSilenceMs.before, sampleRateHz));
  const to = numbers.findLastIndex(isAudible) + 1 + samplesIn(keptSilenceMs.after, sampleRateHz);
  const kept = numbers.slice(from, to);
  fadeEdges(kept, samplesIn(fadeMs, sampleRateHz));
  return toBytes(kept);
}

function fadeEdges(numbers: Int16Array, length: number): void {
  const last = numbers.length - 1;
  for (let at = 0; at < Math.min(length, numbers.length); at += 1) {
    const share = at / length;
    numbers[at] = Math.round((numbers[at] ?? 0) * share);
    numbers[last - at] = Math.round((numbers[last - at] ?? 0) * share);
  }
}

function silence(sampleRateHz: number, ms: number): Buffer {
  return Buffer.alloc(samplesIn(ms, sampleRateHz) * bytesPerSample);
}

function samplesIn(ms: number, sampleRateHz: number): number {
  return Math.round((ms * sampleRateHz) / 1_000);
}
