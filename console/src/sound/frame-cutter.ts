import { speechRateHz } from '../../../api/src/audio/speech-rate.ts';

/** 20 ms. */
export const frameSamples = speechRateHz / 50;

/** Cuts pieces of any size into frames of one size, as 16-bit samples. */
export function createFrameCutter(onFrame: (frame: Int16Array<ArrayBuffer>) => void) {
  let frame = new Int16Array(frameSamples);
  let filled = 0;
  return {
    push(samples: Float32Array): void {
      for (const sample of samples) {
        frame[filled] = toInt16(sample);
        filled += 1;
        if (filled < frameSamples) continue;
        onFrame(frame);
        frame = new Int16Array(frameSamples);
        filled = 0;
      }
    },
    /** Forgets an incomplete frame. */
    clear(): void {
      filled = 0;
    },
  };
}

/** Clips samples that are too loud, so that they do not wrap around into noise. NaN becomes silence. */
function toInt16(sample: number): number {
  if (Number.isNaN(sample)) return 0;
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
}

export function toFloats(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768);
}
