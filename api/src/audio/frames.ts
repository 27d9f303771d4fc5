import { speechRateHz } from './speech-rate.ts';

/** Frame size of the VAD: 32 ms. */
export const frameSamples = 512;
export const frameBytes = frameSamples * 2;
export const frameMs = (frameSamples * 1_000) / speechRateHz;

/** Cuts a byte stream, in chunks of any size, into frames. Keeps an incomplete frame for the next chunk. */
export function createFramer(): { push(chunk: Buffer): Buffer[] } {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      // Always copy: a chunk may be a small view of a large block, which stored frames would keep in memory.
      const bytes = Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % frameBytes);
      rest = Buffer.from(bytes.subarray(whole));
      const frames: Buffer[] = [];
      for (let at = 0; at < whole; at += frameBytes) frames.push(bytes.subarray(at, at + frameBytes));
      return frames;
    },
  };
}
