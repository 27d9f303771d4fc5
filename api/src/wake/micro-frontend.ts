import { createFixedFft } from './fixed-fft.ts';
import { createGains } from './gain-control.ts';
import { accumulate, createMelFilterbank } from './mel-filterbank.ts';
import { logarithm } from './whole-logarithm.ts';

/** Sample rate of the sound for wake words. */
export const wakeSampleRateHz = 16_000;
/** Features per frame. */
export const featuresPerFrame = 40;
/** Converts a logarithmic feature to the scale of the training data. */
export const featureScale = 0.039_062_5;

const windowSamples = 480;
const fftSamples = 512;
const lowHz = 125;
const highHz = 7_500;
/**
 * Smoothing of the noise estimate for even and odd channels, and the minimum signal that remains, as 14-bit
 * fractions.
 */
const noiseBits = 14;
const smoothings = [Math.trunc(Math.fround(0.025) * 16_384), Math.trunc(Math.fround(0.06) * 16_384)] as const;
const remaining = Math.trunc(Math.fround(0.05) * 16_384);
/** Scale of a noise estimate: 10 fractional bits. */
const estimateScale = 1_024;

/** Converts sound into the features for wake word models. */
export interface MicroFrontend {
  /**
   * Takes samples and calls `onFrame` for each step. The features are valid only during the call.
   * `samplesTaken` counts the samples used so far.
   */
  push(samples: Int16Array, onFrame: (features: Uint16Array, samplesTaken: number) => void): void;
  reset(): void;
}

/**
 * The TensorFlow Lite microfrontend as microWakeWord uses it, in integers. A 30 ms window every `stepMs`, 40
 * mel channels, noise reduction, gain control and a logarithm. Bit-identical to the C library
 * pymicro-features.
 */
export function createMicroFrontend(stepMs: number): MicroFrontend {
  const stepSamples = (stepMs * wakeSampleRateHz) / 1_000;
  const held = new Int16Array(windowSamples);
  const features = new Uint16Array(featuresPerFrame);
  const spectrum = sharedSpectrum();
  const clean = createCleaner();
  let count = 0;

  const frame = (): void => {
    const signal = spectrum(held);
    clean.apply(signal);
    for (let channel = 0; channel < featuresPerFrame; channel += 1) {
      // Restores three bits that the spectrum energies have lost.
      const value = ((signal[channel] ?? 0) * 8) >>> 0;
      features[channel] = value > 1 ? logarithm(value) : 0;
    }
  };

  return {
    push(samples, onFrame) {
      let at = 0;
      while (at < samples.length) {
        const taken = Math.min(windowSamples - count, samples.length - at);
        held.set(samples.subarray(at, at + taken), count);
        count += taken;
        at += taken;
        if (count < windowSamples) return;
        frame();
        held.copyWithin(0, stepSamples);
        count -= stepSamples;
        onFrame(features, at);
      }
    },
    reset() {
      held.fill(0);
      count = 0;
      clean.reset();
    },
  };
}

/** Shared by all streams, because it keeps nothing between two windows. */
let spectrumOfAll: ReturnType<typeof createSpectrum> | undefined;
function sharedSpectrum() {
  spectrumOfAll ??= createSpectrum();
  return spectrumOfAll;
}

/** Computes the loudness of each channel in a window. */
function createSpectrum() {
  const window = Int32Array.from({ length: windowSamples }, (_, n) => {
    const angle = Math.fround(Math.fround(Math.fround(2 * Math.fround(Math.PI)) / windowSamples) * (n + 0.5));
    const weight = Math.fround(0.5 - Math.fround(0.5 * Math.fround(Math.cos(angle))));
    return Math.floor(Math.fround(weight * 4_096) + 0.5);
  });
  const fft = createFixedFft(fftSamples);
  const bank = createMelFilterbank({
    channels: featuresPerFrame,
    lowHz,
    highHz,
    sampleRateHz: wakeSampleRateHz,
    frequencies: fftSamples / 2 + 1,
  });
  const energies = new Float64Array(fftSamples / 2 + 1);
  const sums = new Float64Array(featuresPerFrame + 2);
  const signal = new Float64Array(featuresPerFrame);

  return (samples: Int16Array): Float64Array => {
    const shift = windowed(samples, window, fft.input);
    fft.transform();
    for (let n = bank.begin; n < bank.end; n += 1) {
      const real = fft.real[n] ?? 0;
      const imaginary = fft.imaginary[n] ?? 0;
      energies[n] = Math.imul(real, real) + Math.imul(imaginary, imaginary);
    }
    accumulate(bank, energies, sums);
    for (let channel = 0; channel < featuresPerFrame; channel += 1) {
      signal[channel] = Math.floor(wholeRoot(sums[channel + 1] ?? 0) / 2 ** shift);
    }
    return signal;
  };
}

/**
 * Applies the window and shifts the samples left as far as possible, so that quiet sound also uses 16 bits.
 * Returns the shift.
 */
function windowed(samples: Int16Array, window: Int32Array, result: Int16Array): number {
  let loudest = 0;
  for (let n = 0; n < windowSamples; n += 1) {
    const value = Math.imul(samples[n] ?? 0, window[n] ?? 0) >> 12;
    result[n] = value;
    // The lowest 16-bit integer has no positive counterpart, so it is skipped, as in C.
    if (value !== -32_768) loudest = Math.max(loudest, value < 0 ? -value : value);
  }
  const shift = 15 - (32 - Math.clz32(loudest));
  for (let n = 0; n < windowSamples; n += 1) result[n] = (result[n] ?? 0) << shift;
  result.fill(0, windowSamples);
  return shift;
}

/** Square root, rounded like the original: up above one half, but never beyond 16 bits for 32-bit input. */
function wholeRoot(value: number): number {
  const root = Math.floor(Math.sqrt(value));
  const isNext = value - root * root > root;
  return isNext && !(root === 65_535 && value < 2 ** 32) ? root + 1 : root;
}

/** Removes steady noise, then equalizes the channels. */
function createCleaner() {
  const estimates = new Float64Array(featuresPerFrame);
  const gained = createGains();
  return {
    apply(signal: Float64Array): void {
      for (let channel = 0; channel < featuresPerFrame; channel += 1) {
        const loudness = signal[channel] ?? 0;
        const smoothing = smoothings[channel % 2 === 0 ? 0 : 1];
        const scaled = (loudness * estimateScale) >>> 0;
        const before = estimates[channel] ?? 0;
        const estimate = Math.floor(
          (scaled * smoothing + before * (2 ** noiseBits - smoothing)) / 2 ** noiseBits,
        );
        estimates[channel] = estimate;
        const floor = Math.floor((loudness * remaining) / 2 ** noiseBits);
        const left = Math.floor((scaled - Math.min(estimate, scaled)) / estimateScale);
        signal[channel] = gained(Math.max(left, floor), estimate);
      }
    },
    reset: () => estimates.fill(0),
  };
}
