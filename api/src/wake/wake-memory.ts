import { wakeSampleRateHz } from './micro-frontend.ts';
import type { WakeWord } from './wake-word.ts';
import { type WakeHit, WakeWordDetector } from './wake-word-detector.ts';

/** How much sound before the end of a word is kept, so that no speech around the word is lost. */
const beforeHitMs = 1_500;
const bytesPerSample = 2;
const keptBytes = (beforeHitMs * wakeSampleRateHz * bytesPerSample) / 1_000;

/** Result for a chunk of sound. */
export interface WakeDetection {
  hits: readonly WakeHit[];
  /** The latest 1.5 s including this chunk. Null: no word was detected. */
  before: Uint8Array | null;
}

export type WakeMemory = ReturnType<typeof createWakeMemory>;

/** Detects words in 16-bit sound at 16 kHz, and keeps the last 1.5 s. */
export function createWakeMemory(words: readonly WakeWord[]) {
  const detector = new WakeWordDetector(words);
  let kept: Uint8Array[] = [];
  let keptLength = 0;

  const keep = (samples: Uint8Array): void => {
    kept.push(samples);
    keptLength += samples.length;
    for (let [first] = kept; first && keptLength - first.length >= keptBytes; [first] = kept) {
      kept.shift();
      keptLength -= first.length;
    }
  };
  const latest = (): Uint8Array => {
    const all = new Uint8Array(keptLength);
    let at = 0;
    for (const piece of kept) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  };

  return {
    push(samples: Uint8Array): WakeDetection {
      const hits = detector.push(numbersOf(samples));
      keep(samples);
      return { hits, before: hits.length > 0 ? latest() : null };
    },
    /** Call after a gap: earlier sound does not count any more. */
    reset(): void {
      [kept, keptLength] = [[], 0];
      detector.reset();
    },
  };
}

/** The samples as numbers. Shares the memory if its alignment allows it. */
function numbersOf(samples: Uint8Array): Int16Array {
  const aligned = samples.byteOffset % bytesPerSample === 0 ? samples : samples.slice();
  return new Int16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1);
}
