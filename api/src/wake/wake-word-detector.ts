import {
  createMicroFrontend,
  featureScale,
  featuresPerFrame,
  type MicroFrontend,
  wakeSampleRateHz,
} from './micro-frontend.ts';
import { roundToEven } from './model-parts.ts';
import { createStreamingModel, type StreamingModel } from './streaming-model.ts';
import type { WakeWord } from './wake-word.ts';

/** A word that was heard. */
export interface WakeHit {
  word: string;
  /** Where in the stream it ended, counted from its first sample. */
  atMs: number;
  /** The mean probability at that moment. */
  score: number;
  /** `perhaps`: above the lower threshold only, so something else has to confirm it. A surer hit may follow. */
  certainty: 'perhaps' | 'sure';
}

/** What a model said at one moment. */
export interface WakeStep {
  word: string;
  atMs: number;
  probability: number;
  /** The mean of the last probabilities; 0 until there are enough of them. */
  score: number;
}

export interface WakeWordOptions {
  /** The lower threshold; the word's own if it is lower still. */
  perhapsAbove?: number;
  /** Replaces the thresholds that words bring along, by their ids. */
  sureAbove?: Readonly<Record<string, number>>;
  /** After a hit, the same word is not heard again for this long, nor before its score has fallen. */
  refractoryMs?: number;
  /** For tests and measurements: called for every probability. */
  onStep?: (step: WakeStep) => void;
}

const defaults = { perhapsAbove: 0.5, refractoryMs: 1_500 };
/** Features become numbers of 8 bits by a table; higher ones become the same as the last. */
const featureTableSize = 2_048;
/** Samples that are converted at a time. */
const pieceSamples = 1_600;

/**
 * Listens for words in one stream of sound. It holds the same memory however long the stream is, waits for nothing and asks nobody for the time: moments
 * are counted in samples. It throws `UnreadableModel` when it is made of a model that it does not understand, and never afterwards.
 */
export class WakeWordDetector {
  readonly #streams: readonly { frontend: MicroFrontend; listeners: readonly WordListener[] }[];
  readonly #piece = new Int16Array(pieceSamples);
  #samples = 0;

  constructor(words: readonly WakeWord[], options: WakeWordOptions = {}) {
    const byStep = Map.groupBy(words, ({ stepMs }) => stepMs);
    this.#streams = [...byStep].map(([stepMs, ofStep]) => ({
      frontend: createMicroFrontend(stepMs),
      listeners: ofStep.map((word) => new WordListener(word, options)),
    }));
  }

  /** Takes the next samples of 16 kHz, as whole numbers or as floats from -1 to 1, however many. Returns what was heard in them, in order. */
  push(samples: Int16Array | Float32Array): WakeHit[] {
    const hits: WakeHit[] = [];
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const piece = samples.subarray(at, at + pieceSamples);
      this.#pushPiece(piece instanceof Int16Array ? piece : this.#converted(piece), hits);
    }
    return hits;
  }

  /** Forgets all that it has heard. Time goes on. */
  reset(): void {
    for (const { frontend, listeners } of this.#streams) {
      frontend.reset();
      for (const listener of listeners) listener.reset();
    }
  }

  #pushPiece(piece: Int16Array, hits: WakeHit[]): void {
    for (const { frontend, listeners } of this.#streams) {
      frontend.push(piece, (features, samplesTaken) => {
        const atMs = ((this.#samples + samplesTaken) * 1_000) / wakeSampleRateHz;
        for (const listener of listeners) listener.take(features, atMs, hits);
      });
    }
    this.#samples += piece.length;
  }

  #converted(floats: Float32Array): Int16Array {
    for (let n = 0; n < floats.length; n += 1) {
      const value = Math.round((floats[n] ?? 0) * 32_768);
      this.#piece[n] = Math.max(-32_768, Math.min(32_767, value));
    }
    return this.#piece.subarray(0, floats.length);
  }
}

/** One word: its model, its latest probabilities and its thresholds. */
class WordListener {
  readonly #id: string;
  readonly #model: StreamingModel;
  readonly #table: Int8Array;
  readonly #sureAbove: number;
  readonly #perhapsAbove: number;
  readonly #refractoryMs: number;
  readonly #onStep: ((step: WakeStep) => void) | undefined;
  readonly #latest: Float64Array;
  #runs = 0;
  #frames = 0;
  /** The surest hit since the word was last quiet. */
  #heard: 'nothing' | 'perhaps' | 'sure' = 'nothing';
  #quietUntilMs = 0;

  constructor(word: WakeWord, options: WakeWordOptions) {
    this.#id = word.id;
    this.#model = createStreamingModel(word.model);
    this.#table = featureTable(this.#model);
    this.#sureAbove = options.sureAbove?.[word.id] ?? word.cutoff;
    this.#perhapsAbove = Math.min(options.perhapsAbove ?? defaults.perhapsAbove, this.#sureAbove);
    this.#refractoryMs = options.refractoryMs ?? defaults.refractoryMs;
    this.#onStep = options.onStep;
    this.#latest = new Float64Array(word.windowSize);
  }

  take(features: Uint16Array, atMs: number, hits: WakeHit[]): void {
    const { input, frames } = this.#model;
    const from = this.#frames * featuresPerFrame;
    for (let n = 0; n < featuresPerFrame; n += 1) {
      const feature = features[n] ?? 0;
      input[from + n] = this.#table[feature < featureTableSize ? feature : featureTableSize - 1] ?? 0;
    }
    this.#frames += 1;
    if (this.#frames < frames) return;
    this.#frames = 0;
    this.#judge(this.#model.run(), atMs, hits);
  }

  reset(): void {
    this.#model.reset();
    this.#latest.fill(0);
    this.#runs = 0;
    this.#frames = 0;
    this.#heard = 'nothing';
  }

  #judge(probability: number, atMs: number, hits: WakeHit[]): void {
    const size = this.#latest.length;
    this.#latest[this.#runs % size] = probability;
    this.#runs += 1;
    let sum = 0;
    for (let n = 0; n < size; n += 1) sum += this.#latest[n] ?? 0;
    const score = this.#runs < size ? 0 : sum / size;
    this.#onStep?.({ word: this.#id, atMs, probability, score });

    if (score <= this.#perhapsAbove) {
      if (atMs >= this.#quietUntilMs) this.#heard = 'nothing';
      return;
    }
    const certainty = score > this.#sureAbove ? 'sure' : 'perhaps';
    if (this.#heard === 'sure' || this.#heard === certainty) return;
    this.#heard = certainty;
    this.#quietUntilMs = atMs + this.#refractoryMs;
    hits.push({ word: this.#id, atMs, score, certainty });
  }
}

/** What each feature is in the numbers of a model's input. */
function featureTable({ scale, zeroPoint }: StreamingModel): Int8Array {
  return Int8Array.from({ length: featureTableSize }, (_, feature) => {
    const value = roundToEven((feature * featureScale) / scale + zeroPoint);
    return Math.min(127, Math.max(-128, value));
  });
}
