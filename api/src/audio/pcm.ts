/** Sound inside Hearth: 16-bit samples, little-endian, mono. */
export interface Pcm {
  sampleRateHz: number;
  samples: Buffer;
}

export const bytesPerSample = 2;

export function durationMs({ sampleRateHz, samples }: Pcm): number {
  return (samples.length / bytesPerSample / sampleRateHz) * 1000;
}

/** The samples as numbers. Shares the memory if the buffer's alignment allows it. */
export function toNumbers(samples: Buffer): Int16Array {
  const whole = samples.length >> 1;
  if (samples.byteOffset % bytesPerSample === 0) {
    return new Int16Array(samples.buffer, samples.byteOffset, whole);
  }
  const copy = new Uint8Array(whole * bytesPerSample);
  copy.set(samples.subarray(0, copy.length));
  return new Int16Array(copy.buffer);
}

/** The bytes of the numbers. Shares the memory. */
export function toBytes(numbers: Int16Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
