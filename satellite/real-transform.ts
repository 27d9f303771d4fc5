/** Frequencies of a sound: half its number of samples, plus one. */
export interface Spectrum {
  re: Float64Array;
  im: Float64Array;
}

export function emptySpectrum(size: number): Spectrum {
  return { re: new Float64Array(size / 2 + 1), im: new Float64Array(size / 2 + 1) };
}

/**
 * The Fourier transform of `size` real numbers (a power of two), and its inverse. It allocates no arrays per
 * call.
 */
export function createRealTransform(size: number) {
  const half = size / 2;
  const transform = createComplexTransform(half);
  /** Two neighbouring samples form one complex number, which halves the work. */
  const pairs = { re: new Float64Array(half), im: new Float64Array(half) };
  const turns = turnsOf(size, half + 1);

  return {
    forward(sound: Float64Array, spectrum: Spectrum): void {
      for (let n = 0; n < half; n += 1) {
        pairs.re[n] = sound[2 * n] ?? 0;
        pairs.im[n] = sound[2 * n + 1] ?? 0;
      }
      transform(pairs.re, pairs.im);
      for (let k = 0; k <= half; k += 1) separate(pairs, spectrum, { k, turns });
    },
    backward(spectrum: Spectrum, sound: Float64Array): void {
      for (let k = 0; k < half; k += 1) join(spectrum, pairs, { k, turns });
      // Swapped real and imaginary parts give the inverse transform.
      transform(pairs.im, pairs.re);
      for (let n = 0; n < half; n += 1) {
        sound[2 * n] = (pairs.re[n] ?? 0) / half;
        sound[2 * n + 1] = (pairs.im[n] ?? 0) / half;
      }
    },
  };
}

interface At {
  k: number;
  turns: Spectrum;
}

/** Computes one frequency of the sound from the frequencies of the pairs. */
function separate({ re, im }: Spectrum, to: Spectrum, { k, turns }: At): void {
  const half = re.length;
  const a = k === half ? 0 : k;
  const b = k === 0 ? 0 : half - k;
  const sumIm = (im[a] ?? 0) + (im[b] ?? 0);
  const lessRe = (re[a] ?? 0) - (re[b] ?? 0);
  const c = turns.re[k] ?? 0;
  const s = turns.im[k] ?? 0;
  to.re[k] = ((re[a] ?? 0) + (re[b] ?? 0) + c * sumIm - s * lessRe) / 2;
  to.im[k] = ((im[a] ?? 0) - (im[b] ?? 0) - c * lessRe - s * sumIm) / 2;
}

/** Inverts `separate`. */
function join({ re, im }: Spectrum, to: Spectrum, { k, turns }: At): void {
  const b = to.re.length - k;
  const lessRe = (re[k] ?? 0) - (re[b] ?? 0);
  const sumIm = (im[k] ?? 0) + (im[b] ?? 0);
  const c = turns.re[k] ?? 0;
  const s = turns.im[k] ?? 0;
  to.re[k] = ((re[k] ?? 0) + (re[b] ?? 0) - s * lessRe - c * sumIm) / 2;
  to.im[k] = ((im[k] ?? 0) - (im[b] ?? 0) + c * lessRe - s * sumIm) / 2;
}

/** Cosines and sines of the first fractions of a turn. */
function turnsOf(size: number, length: number): Spectrum {
  const angle = (k: number) => (2 * Math.PI * k) / size;
  return {
    re: Float64Array.from({ length }, (_, k) => Math.cos(angle(k))),
    im: Float64Array.from({ length }, (_, k) => Math.sin(angle(k))),
  };
}

function createComplexTransform(size: number) {
  const turns = turnsOf(size, size / 2);
  const places = bitReversed(size);
  return (re: Float64Array, im: Float64Array): void => {
    reorder(re, places);
    reorder(im, places);
    for (let width = 1; width < size; width *= 2) {
      const step = size / (2 * width);
      for (let k = 0; k < width; k += 1)
        combine(re, im, { k, width, c: turns.re[k * step] ?? 0, s: -(turns.im[k * step] ?? 0) });
    }
  };
}

/** Applies one butterfly to all blocks. */
function combine(
  re: Float64Array,
  im: Float64Array,
  { k, width, c, s }: { k: number; width: number; c: number; s: number },
): void {
  for (let low = k; low < re.length; low += 2 * width) {
    const high = low + width;
    const lowRe = re[low] ?? 0;
    const lowIm = im[low] ?? 0;
    const turnedRe = (re[high] ?? 0) * c - (im[high] ?? 0) * s;
    const turnedIm = (re[high] ?? 0) * s + (im[high] ?? 0) * c;
    re[low] = lowRe + turnedRe;
    im[low] = lowIm + turnedIm;
    re[high] = lowRe - turnedRe;
    im[high] = lowIm - turnedIm;
  }
}

function reorder(numbers: Float64Array, places: Uint32Array): void {
  for (let place = 0; place < places.length; place += 1) {
    const other = places[place] ?? 0;
    if (other <= place) continue;
    const kept = numbers[place] ?? 0;
    numbers[place] = numbers[other] ?? 0;
    numbers[other] = kept;
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
