/** FFT of real sound in 16-bit integers, bit-identical to KISS FFT with FIXED_POINT=16. */
interface FixedFft {
  /** The samples. `transform` overwrites them. */
  input: Int16Array;
  /** Real and imaginary parts of all frequencies from 0 to half the sample rate. */
  real: Int32Array;
  imaginary: Int32Array;
  transform(): void;
}

const highest = 32_767;

interface Twiddles {
  cosines: Int32Array;
  sines: Int32Array;
}

function twiddlesOf(length: number, phase: (n: number) => number): Twiddles {
  const scaled = (of: (angle: number) => number) =>
    Int32Array.from({ length }, (_, n) => Math.floor(0.5 + highest * of(phase(n))));
  return { cosines: scaled(Math.cos), sines: scaled(Math.sin) };
}

/** Creates an FFT of `size` samples. Half of `size` must be a power of 4. */
export function createFixedFft(size: number): FixedFft {
  const half = size / 2;
  const input = new Int16Array(size);
  const [workReal, workImaginary] = [new Int32Array(half), new Int32Array(half)];
  const [real, imaginary] = [new Int32Array(half + 1), new Int32Array(half + 1)];
  const order = digitsReversed(half);
  const twiddles = twiddlesOf(half, (n) => (-2 * Math.PI * n) / half);
  const lastTwiddles = twiddlesOf(half / 2, (n) => -Math.PI * ((n + 1) / half + 0.5));

  const transform = (): void => {
    // Packs two samples into one complex number, which halves the work.
    for (let n = 0; n < half; n += 1) {
      const place = 2 * (order[n] ?? 0);
      workReal[n] = input[place] ?? 0;
      workImaginary[n] = input[place + 1] ?? 0;
    }
    for (let width = 1; width < half; width *= 4) combine(workReal, workImaginary, { twiddles, width });
    separate(workReal, workImaginary, { real, imaginary, twiddles: lastTwiddles });
  };
  return { input, real, imaginary, transform };
}

/** The input order: indexes with their base-4 digits reversed. */
function digitsReversed(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, place) => {
    let [reversed, rest] = [0, place];
    for (let width = 1; width < size; width *= 4) {
      reversed = reversed * 4 + (rest & 3);
      rest >>= 2;
    }
    return reversed;
  });
}

/** Product of two numbers, one of which is a 15-bit fraction. */
const rounded = (product: number): number => ((product + 16_384) << 1) >> 16;
const quarter = (value: number): number => rounded(Math.imul(value, highest >> 2));
const halved = (value: number): number => rounded(Math.imul(value, highest >> 1));
/** Wraps to 16 bits, like an overflow in C. */
const narrow = (value: number): number => (value << 16) >> 16;

/** One pass: combines each four spectra, `width` apart, into one that is four times as long. */
function combine(
  real: Int32Array,
  imaginary: Int32Array,
  { twiddles, width }: { twiddles: Twiddles; width: number },
): void {
  const { cosines, sines } = twiddles;
  const stride = real.length / (4 * width);
  for (let k = 0; k < width; k += 1) {
    const turn = k * stride;
    combineAt(real, imaginary, {
      k,
      width,
      c1: cosines[turn] ?? 0,
      s1: sines[turn] ?? 0,
      c2: cosines[2 * turn] ?? 0,
      s2: sines[2 * turn] ?? 0,
      c3: cosines[3 * turn] ?? 0,
      s3: sines[3 * turn] ?? 0,
    });
  }
}

interface Turns {
  /** Index inside each spectrum. */
  k: number;
  width: number;
  c1: number;
  s1: number;
  c2: number;
  s2: number;
  c3: number;
  s3: number;
}

/** Combines one index of every spectrum. Without arrays, for speed. */
function combineAt(real: Int32Array, imaginary: Int32Array, turns: Turns): void {
  const { k, width, c1, s1, c2, s2, c3, s3 } = turns;
  for (let at = k; at < real.length; at += 4 * width) {
    const second = at + width;
    const third = second + width;
    const fourth = third + width;
    const r0 = quarter(real[at] ?? 0);
    const i0 = quarter(imaginary[at] ?? 0);
    const r1 = quarter(real[second] ?? 0);
    const i1 = quarter(imaginary[second] ?? 0);
    const r2 = quarter(real[third] ?? 0);
    const i2 = quarter(imaginary[third] ?? 0);
    const r3 = quarter(real[fourth] ?? 0);
    const i3 = quarter(imaginary[fourth] ?? 0);

    const oneR = rounded(Math.imul(r1, c1) - Math.imul(i1, s1));
    const oneI = rounded(Math.imul(r1, s1) + Math.imul(i1, c1));
    const twoR = rounded(Math.imul(r2, c2) - Math.imul(i2, s2));
    const twoI = rounded(Math.imul(r2, s2) + Math.imul(i2, c2));
    const threeR = rounded(Math.imul(r3, c3) - Math.imul(i3, s3));
    const threeI = rounded(Math.imul(r3, s3) + Math.imul(i3, c3));

    // Only stored values must wrap to 16 bits. Intermediate values lead to the same result.
    const bothR = oneR + threeR;
    const bothI = oneI + threeI;
    const apartR = oneR - threeR;
    const apartI = oneI - threeI;
    real[at] = narrow(r0 + twoR + bothR);
    imaginary[at] = narrow(i0 + twoI + bothI);
    real[second] = narrow(r0 - twoR + apartI);
    imaginary[second] = narrow(i0 - twoI - apartR);
    real[third] = narrow(r0 + twoR - bothR);
    imaginary[third] = narrow(i0 + twoI - bothI);
    real[fourth] = narrow(r0 - twoR - apartI);
    imaginary[fourth] = narrow(i0 - twoI + apartR);
  }
}

interface Spectrum {
  real: Int32Array;
  imaginary: Int32Array;
  twiddles: Twiddles;
}

/** Computes the spectrum of the real sound from that of the packed pairs. */
function separate(workReal: Int32Array, workImaginary: Int32Array, spectrum: Spectrum): void {
  const { real, imaginary, twiddles } = spectrum;
  const half = workReal.length;
  const [meanR, meanI] = [halved(workReal[0] ?? 0), halved(workImaginary[0] ?? 0)];
  real[0] = narrow(meanR + meanI);
  real[half] = narrow(meanR - meanI);
  imaginary[0] = 0;
  imaginary[half] = 0;
  for (let k = 1; k <= half / 2; k += 1) {
    const lowR = halved(workReal[k] ?? 0);
    const lowI = halved(workImaginary[k] ?? 0);
    const highR = halved(workReal[half - k] ?? 0);
    const highI = halved(narrow(-(workImaginary[half - k] ?? 0)));
    const sumR = narrow(lowR + highR);
    const sumI = narrow(lowI + highI);
    const differenceR = narrow(lowR - highR);
    const differenceI = narrow(lowI - highI);
    const c = twiddles.cosines[k - 1] ?? 0;
    const s = twiddles.sines[k - 1] ?? 0;
    const turnedR = rounded(Math.imul(differenceR, c) - Math.imul(differenceI, s));
    const turnedI = rounded(Math.imul(differenceR, s) + Math.imul(differenceI, c));
    real[k] = (sumR + turnedR) >> 1;
    imaginary[k] = (sumI + turnedI) >> 1;
    real[half - k] = (sumR - turnedR) >> 1;
    imaginary[half - k] = (turnedI - sumI) >> 1;
  }
}
