import { setImmediate as nextRound } from 'node:timers/promises';
import { bytesPerSample, type Pcm, toBytes, toNumbers } from './pcm.ts';
import { createResampler, type SampleRates } from './resampler.ts';
import { clamp16 } from './sample-coding.ts';

/** A resampler for sound in Hearth's internal format. */
export interface PcmResampler {
  push(samples: Buffer): Buffer;
  end(): Buffer;
}

export function createPcmResampler(rates: SampleRates): PcmResampler {
  // Equal rates need no copy.
  if (rates.fromHz === rates.toHz) return { push: (samples) => samples, end: () => Buffer.alloc(0) };
  const { push, end } = createResampler(rates);
  return {
    push: (samples) => toPcm(push(Float32Array.from(toNumbers(samples)))),
    end: () => toPcm(end()),
  };
}

/** Clips samples that are too loud; they never wrap around. */
function toPcm(samples: Float32Array): Buffer {
  return toBytes(Int16Array.from(samples, clamp16));
}

/** Converts a whole sound to another rate. */
export async function resample(sound: Pcm, rateHz: number): Promise<Pcm> {
  if (sound.sampleRateHz === rateHz) return sound;
  const pieceBytes = Math.ceil(sound.sampleRateHz / 2) * bytesPerSample;
  function* pieces() {
    for (let at = 0; at < sound.samples.length; at += pieceBytes) {
      yield sound.samples.subarray(at, at + pieceBytes);
    }
  }
  return resamplePieces(pieces(), { fromHz: sound.sampleRateHz, toHz: rateHz });
}

/**
 * Converts a sound in pieces. The event loop runs other work between two pieces, so each should be at most a
 * second.
 */
export async function resamplePieces(pieces: Iterable<Buffer>, rates: SampleRates): Promise<Pcm> {
  const resampler = createPcmResampler(rates);
  const done: Buffer[] = [];
  for (const piece of pieces) {
    if (done.length > 0) await nextRound();
    done.push(resampler.push(piece));
  }
  done.push(resampler.end());
  return { sampleRateHz: rates.toHz, samples: Buffer.concat(done) };
}
