import { toBytes, toNumbers } from '../../audio/pcm.ts';

/** Applies a volume in percent. Squaring it makes 50 percent sound about half as loud. */
export function amplified(samples: Buffer, volume: number): Buffer {
  if (volume >= 100) return samples;
  const factor = (volume / 100) ** 2;
  return toBytes(toNumbers(samples).map((sample) => Math.round(sample * factor)));
}
