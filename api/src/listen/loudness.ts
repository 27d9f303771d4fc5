import { toBytes, toNumbers } from '../audio/pcm.ts';

/** Sound at a volume in percent. People hear half as loud where the samples are a quarter: their square comes near to that. */
export function amplified(samples: Buffer, volume: number): Buffer {
  if (volume >= 100) return samples;
  const factor = (volume / 100) ** 2;
  return toBytes(toNumbers(samples).map((sample) => Math.round(sample * factor)));
}
