export type Fft = ReturnType<typeof createFft>;

/**
 * The Fourier transform of `size` complex numbers (a power of two), in place. Allocates no arrays, for speed.
 */
export function createFft(size: number) {
  const half = size / 2;
  const cosines = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sines = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size));
  const places = bitReversed(size);

  const reorder = (numbers: Float64Array): void => {
    for (let place = 0; place < size; place += 1) {
      const other = places[place] ?? 0;
      if (other <= place) continue;
      const kept = numbers[place] ?? 0;
      numbers[place] = numbers[other] ?? 0;
      numbers[other] = kept;
    }
  };

  /** Forward, or backward with the result multiplied by `size`. */
  const transform = (re: Float64Array, im: Float64Array, direction: 'forward' | 'backward'): void => {
    const sign = direction === 'forward' ? -1 : 1;
    reorder(re);
    reorder(im);
    for (let width = 1; width < size; width *= 2) {
      for (let k = 0; k < width; k += 1) {
        const at = k * (half / width);
        combine(re, im, { k, width, c: cosines[at] ?? 0, s: sign * (sines[at] ?? 0) });
      }
    }
  };

  return { size, transform };
}

/** One butterfly of all blocks. */
function combine(
  re: Float64Array,
  im: Float64Array,
  at: { k: number; width: number; c: number; s: number },
): void {
  const { k, width, c, s } = at;
  for (let low = k; low < re.length; low += 2 * width) {
    const high = low + width;
    const highRe = re[high] ?? 0;
    const highIm = im[high] ?? 0;
    const lowRe = re[low] ?? 0;
    const lowIm = im[low] ?? 0;
    const turnedRe = highRe * c - highIm * s;
    const turnedIm = highRe * s + highIm * c;
    re[low] = lowRe + turnedRe;
    im[low] = lowIm + turnedIm;
    re[high] = lowRe - turnedRe;
    im[high] = lowIm - turnedIm;
  }
}

function bitReversed(size: number): Uint32Array {
  const bits = Math.log2(size);
  return Uint32Array.from({ length: size }, (_, place) => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit += 1) reversed |= ((place >> bit) & 1) << (bits - 1 - bit);
    return reversed;
  });
}
